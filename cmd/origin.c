#include "cmd/origin.h"

#include "cmd/subject.h"
#include "orchestrate/store/store_query.h"

int origin_find(struct origin *o, const struct subject *s, struct error *err)
{
	const char *commit = s->campaign.commit ? s->campaign.commit : "";

	*o = (struct origin){ .same_recipe = subject_same_recipe(s) };
	if (o->same_recipe && vcs_snapshot(&s->experiment.files,
					   s->experiment.name,
					   s->campaign.commit, &o->snapshot,
					   err))
		return -1;
	if (store_digest(s->store, s->campaign.id, o->digest, err))
		return -1;
	o->provenance = (struct provenance){
		.experiment = s->experiment.name,
		.commit = o->same_recipe ? o->snapshot.commit : commit,
		.campaign = s->campaign.uuid,
		.digest = o->digest,
		.version = ASSAY_VERSION,
	};
	return 0;
}
