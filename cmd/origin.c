#include "cmd/origin.h"

#include "cmd/subject.h"
#include "orchestrate/store/store_query.h"

int origin_find(struct origin *o, const struct subject *s, struct error *err)
{
	if (vcs_snapshot(&s->experiment.files, s->experiment.name,
			 s->campaign.commit, &o->snapshot, err) ||
	    store_digest(s->store, s->campaign.id, o->digest, err))
		return -1;
	o->provenance = (struct provenance){
		.experiment = s->experiment.name,
		.commit = o->snapshot.commit,
		.campaign = s->campaign.uuid,
		.digest = o->digest,
		.version = ASSAY_VERSION,
	};
	return 0;
}
