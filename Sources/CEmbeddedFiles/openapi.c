#include "CEmbeddedFiles.h"

static const unsigned char openapi_json_bytes[] = {
#embed "../MigrationAPI/OpenAPI/openapi.json"
};
const struct EmbeddedFile openapi_json = {openapi_json_bytes, sizeof openapi_json_bytes};
