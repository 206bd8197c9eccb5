#include "CEmbeddedFiles.h"

static const unsigned char bridge_js_bytes[] = {
#embed "../ScriptChild/Prelude/bridge.js"
};
const struct EmbeddedFile bridge_js = {bridge_js_bytes, sizeof bridge_js_bytes};

static const unsigned char classes_js_bytes[] = {
#embed "../ScriptChild/Prelude/classes.js"
};
const struct EmbeddedFile classes_js = {classes_js_bytes, sizeof classes_js_bytes};

static const unsigned char coding_js_bytes[] = {
#embed "../ScriptChild/Prelude/coding.js"
};
const struct EmbeddedFile coding_js = {coding_js_bytes, sizeof coding_js_bytes};

static const unsigned char collections_js_bytes[] = {
#embed "../ScriptChild/Prelude/collections.js"
};
const struct EmbeddedFile collections_js = {collections_js_bytes, sizeof collections_js_bytes};

static const unsigned char columns_js_bytes[] = {
#embed "../ScriptChild/Prelude/columns.js"
};
const struct EmbeddedFile columns_js = {columns_js_bytes, sizeof columns_js_bytes};

static const unsigned char console_js_bytes[] = {
#embed "../ScriptChild/Prelude/console.js"
};
const struct EmbeddedFile console_js = {console_js_bytes, sizeof console_js_bytes};

static const unsigned char dictionaries_js_bytes[] = {
#embed "../ScriptChild/Prelude/dictionaries.js"
};
const struct EmbeddedFile dictionaries_js = {dictionaries_js_bytes, sizeof dictionaries_js_bytes};

static const unsigned char entry_js_bytes[] = {
#embed "../ScriptChild/Prelude/entry.js"
};
const struct EmbeddedFile entry_js = {entry_js_bytes, sizeof entry_js_bytes};

static const unsigned char functions_js_bytes[] = {
#embed "../ScriptChild/Prelude/functions.js"
};
const struct EmbeddedFile functions_js = {functions_js_bytes, sizeof functions_js_bytes};

static const unsigned char hardening_js_bytes[] = {
#embed "../ScriptChild/Prelude/hardening.js"
};
const struct EmbeddedFile hardening_js = {hardening_js_bytes, sizeof hardening_js_bytes};

static const unsigned char independence_js_bytes[] = {
#embed "../ScriptChild/Prelude/independence.js"
};
const struct EmbeddedFile independence_js = {independence_js_bytes, sizeof independence_js_bytes};

static const unsigned char language_js_bytes[] = {
#embed "../ScriptChild/Prelude/language.js"
};
const struct EmbeddedFile language_js = {language_js_bytes, sizeof language_js_bytes};

static const unsigned char lists_js_bytes[] = {
#embed "../ScriptChild/Prelude/lists.js"
};
const struct EmbeddedFile lists_js = {lists_js_bytes, sizeof lists_js_bytes};

static const unsigned char objects_js_bytes[] = {
#embed "../ScriptChild/Prelude/objects.js"
};
const struct EmbeddedFile objects_js = {objects_js_bytes, sizeof objects_js_bytes};

static const unsigned char origin_js_bytes[] = {
#embed "../ScriptChild/Prelude/origin.js"
};
const struct EmbeddedFile origin_js = {origin_js_bytes, sizeof origin_js_bytes};

static const unsigned char own_properties_js_bytes[] = {
#embed "../ScriptChild/Prelude/own-properties.js"
};
const struct EmbeddedFile own_properties_js = {own_properties_js_bytes, sizeof own_properties_js_bytes};

static const unsigned char parts_js_bytes[] = {
#embed "../ScriptChild/Prelude/parts.js"
};
const struct EmbeddedFile parts_js = {parts_js_bytes, sizeof parts_js_bytes};

static const unsigned char queries_js_bytes[] = {
#embed "../ScriptChild/Prelude/queries.js"
};
const struct EmbeddedFile queries_js = {queries_js_bytes, sizeof queries_js_bytes};

static const unsigned char realms_js_bytes[] = {
#embed "../ScriptChild/Prelude/realms.js"
};
const struct EmbeddedFile realms_js = {realms_js_bytes, sizeof realms_js_bytes};

static const unsigned char regular_expressions_js_bytes[] = {
#embed "../ScriptChild/Prelude/regular-expressions.js"
};
const struct EmbeddedFile regular_expressions_js = {regular_expressions_js_bytes, sizeof regular_expressions_js_bytes};

static const unsigned char results_js_bytes[] = {
#embed "../ScriptChild/Prelude/results.js"
};
const struct EmbeddedFile results_js = {results_js_bytes, sizeof results_js_bytes};

static const unsigned char row_group_cache_js_bytes[] = {
#embed "../ScriptChild/Prelude/row-group-cache.js"
};
const struct EmbeddedFile row_group_cache_js = {row_group_cache_js_bytes, sizeof row_group_cache_js_bytes};

static const unsigned char row_groups_js_bytes[] = {
#embed "../ScriptChild/Prelude/row-groups.js"
};
const struct EmbeddedFile row_groups_js = {row_groups_js_bytes, sizeof row_groups_js_bytes};

static const unsigned char sets_js_bytes[] = {
#embed "../ScriptChild/Prelude/sets.js"
};
const struct EmbeddedFile sets_js = {sets_js_bytes, sizeof sets_js_bytes};

static const unsigned char sharing_js_bytes[] = {
#embed "../ScriptChild/Prelude/sharing.js"
};
const struct EmbeddedFile sharing_js = {sharing_js_bytes, sizeof sharing_js_bytes};

static const unsigned char swift_js_bytes[] = {
#embed "../ScriptChild/Prelude/swift.js"
};
const struct EmbeddedFile swift_js = {swift_js_bytes, sizeof swift_js_bytes};

static const unsigned char texts_js_bytes[] = {
#embed "../ScriptChild/Prelude/texts.js"
};
const struct EmbeddedFile texts_js = {texts_js_bytes, sizeof texts_js_bytes};

static const unsigned char time_js_bytes[] = {
#embed "../ScriptChild/Prelude/time.js"
};
const struct EmbeddedFile time_js = {time_js_bytes, sizeof time_js_bytes};

static const unsigned char upserts_js_bytes[] = {
#embed "../ScriptChild/Prelude/upserts.js"
};
const struct EmbeddedFile upserts_js = {upserts_js_bytes, sizeof upserts_js_bytes};

static const unsigned char values_js_bytes[] = {
#embed "../ScriptChild/Prelude/values.js"
};
const struct EmbeddedFile values_js = {values_js_bytes, sizeof values_js_bytes};
