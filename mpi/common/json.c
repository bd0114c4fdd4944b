/* The little JSON that the output needs. Knows no MPI. */
#include "json.h"

void contend_json_string(FILE *out, const char *text)
{
    fputc('"', out);
    for (const unsigned char *c = (const unsigned char *)text; *c != '\0'; c++) {
        if (*c == '"' || *c == '\\')
            fprintf(out, "\\%c", *c);
        else if (*c < 32 || *c > 126)
            fprintf(out, "\\u%04x", (unsigned)*c);
        else
            fputc(*c, out);
    }
    fputc('"', out);
}

void contend_json_seconds(FILE *out, const double *seconds, size_t count)
{
    fputc('[', out);
    for (size_t i = 0; i < count; i++)
        fprintf(out, "%s%.9e", i > 0 ? "," : "", seconds[i]);
    fputc(']', out);
}
