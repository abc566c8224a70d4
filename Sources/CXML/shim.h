// Debian's libxml2 knows ICU, and says so in its headers by ICU's own. Foundation brings another ICU, and two of them cannot be
// in one program's Swift. Nothing that is used here has ICU in it: the library's own encodings go on.
#include <libxml/xmlversion.h>
#undef LIBXML_ICU_ENABLED
#include <libxml/xmlreader.h>
