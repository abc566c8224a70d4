#include <libwebsockets.h>

/* LWS_PRE is an expression that Swift does not import. */
enum { clws_pre = LWS_PRE };
