// Debian's libxml2 knows ICU, and says so in its headers by ICU's own. Foundation brings another ICU, and two of them
// cannot be in one program's Swift. Nothing that is used here has ICU in it: the library's own encodings go on.
#include <libxml/xmlversion.h>
#undef LIBXML_ICU_ENABLED
#include <libxml/HTMLparser.h>
#include <libxml/xmlreader.h>

// With XML_PARSE_NOERROR libxml2 still prints what its converters of encodings and its input have to say. Messages are
// kept in xmlGetLastError all the same.
static inline void xml_discard_structured(void *context, const xmlError *error)
{
    (void)context;
    (void)error;
}

static inline void xml_discard_message(void *context, const char *format, ...)
{
    (void)context;
    (void)format;
}

// Lets libxml2 print nothing from this thread on: its handlers are a thread's own.
static inline void xml_print_nothing(void)
{
    // Newer versions of libxml2 promise not to change the error.
    xmlSetStructuredErrorFunc(NULL, (xmlStructuredErrorFunc)(void (*)(void))xml_discard_structured);
    xmlSetGenericErrorFunc(NULL, xml_discard_message);
}
