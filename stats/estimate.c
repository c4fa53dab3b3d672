#include "stats/estimate.h"

const char *estimate_method_text(enum estimate_method m)
{
	switch (m) {
	case ESTIMATE_NONE:
		break;
	case ESTIMATE_MEAN_T:
		return "t interval of the mean";
	case ESTIMATE_MEDIAN_ORDER:
		return "order-statistic interval of the median";
	case ESTIMATE_RATIO_FIELLER:
		return "Fieller interval of the ratio of means (Welch)";
	}
	return "no interval";
}

const char *estimate_warning_text(enum estimate_warning w)
{
	switch (w) {
	case ESTIMATE_N_LT_2:
		return "one run has no interval: make at least 3 replicates";
	case ESTIMATE_N_LT_3:
		return "an interval from two runs is very wide: make at least "
		       "3 replicates";
	case ESTIMATE_MEDIAN_UNBOUNDED:
		return "too few runs to bound the median (95 % needs 6): make "
		       "more replicates, or read the mean";
	case ESTIMATE_ZERO_VARIANCE:
		return "all runs gave the same value, so the interval is a "
		       "point: check that the measurement resolves "
		       "differences";
	case ESTIMATE_UNBOUNDED_RATIO:
		return "the baseline's mean is not clearly away from 0, so the "
		       "ratio has no bounds: make more replicates, or look at "
		       "the two means";
	case ESTIMATE_CENSORED:
		return "timed-out runs are left out, so the truth is worse "
		       "than this figure: raise the timeout";
	case ESTIMATE_SKEWED:
		return "the runs are skewed, and a mean's interval from fewer "
		       "than 30 covers less than it says: read the median, or "
		       "make more replicates";
	case ESTIMATE_NEGATIVE_BASE:
		return "the baseline's mean is below 0, so a larger ratio is "
		       "not a larger value: look at the two means";
	}
	return "unknown warning";
}
