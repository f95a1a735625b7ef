/* result.c — the names and the sentences of the results. */
#include "xorcore.h"

static const struct {
    const char *name, *text;
} results[] = {
    [-XORCORE_OK] = {"OK", "success"},
    [-XORCORE_E_ARG] = {"ARG", "an argument is NULL where bytes are needed, or an unknown constant"},
    [-XORCORE_E_KEY_LENGTH] = {"KEY_LENGTH", "the algorithm has no key of this length"},
    [-XORCORE_E_NONCE_LENGTH] = {"NONCE_LENGTH", "the algorithm takes no nonce or IV of this length"},
    [-XORCORE_E_TAG_LENGTH] = {"TAG_LENGTH", "the tag has a length that the algorithm or the object does not have"},
    [-XORCORE_E_DATA_LENGTH] = {"DATA_LENGTH", "the data is not a multiple of the block, or too short for the mode"},
    [-XORCORE_E_OVERLAP] = {"OVERLAP", "buffers overlap other than exactly"},
    [-XORCORE_E_AUTH] = {"AUTH", "message authentication failed"},
    [-XORCORE_E_LIMIT] = {"LIMIT", "more data than the standard allows"},
    [-XORCORE_E_STATE] = {"STATE", "calls out of order: data before CCM's lengths, AAD after text, an end before all "
                                   "that was announced, or a call after the end"},
    [-XORCORE_E_KERNEL] = {"KERNEL", "no such kernel, or it cannot run on this machine"},
    [-XORCORE_E_WEAK_KEY] = {"WEAK_KEY", "the two halves of an XTS key are equal"},
    [-XORCORE_E_MEMORY] = {"MEMORY", "out of memory"},
    [-XORCORE_E_SELFTEST] = {"SELFTEST", "a kernel failed its known-answer test"},
    [-XORCORE_E_UNSUPPORTED] = {"UNSUPPORTED", "the algorithm has no such operation"},
};

enum { RESULTS = sizeof results / sizeof results[0] };

static int known(int result) { return result <= 0 && result > -RESULTS; }

const char *xorcore_result_name(int result) { return known(result) ? results[-result].name : "UNKNOWN"; }

const char *xorcore_result_text(int result)
{
    return known(result) ? results[-result].text : "a number that is no result of this library";
}
