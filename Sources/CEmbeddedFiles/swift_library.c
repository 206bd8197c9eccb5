#include "CEmbeddedFiles.h"

static const unsigned char calendars_js_bytes[] = {
#embed "../ScriptChild/Swift/calendars.js"
};
const struct EmbeddedFile calendars_js = {calendars_js_bytes, sizeof calendars_js_bytes};

static const unsigned char characters_js_bytes[] = {
#embed "../ScriptChild/Swift/characters.js"
};
const struct EmbeddedFile characters_js = {characters_js_bytes, sizeof characters_js_bytes};

static const unsigned char dates_js_bytes[] = {
#embed "../ScriptChild/Swift/dates.js"
};
const struct EmbeddedFile dates_js = {dates_js_bytes, sizeof dates_js_bytes};

static const unsigned char decimals_js_bytes[] = {
#embed "../ScriptChild/Swift/decimals.js"
};
const struct EmbeddedFile decimals_js = {decimals_js_bytes, sizeof decimals_js_bytes};

static const unsigned char expressions_js_bytes[] = {
#embed "../ScriptChild/Swift/expressions.js"
};
const struct EmbeddedFile expressions_js = {expressions_js_bytes, sizeof expressions_js_bytes};

static const unsigned char floating_js_bytes[] = {
#embed "../ScriptChild/Swift/floating.js"
};
const struct EmbeddedFile floating_js = {floating_js_bytes, sizeof floating_js_bytes};

static const unsigned char format_js_bytes[] = {
#embed "../ScriptChild/Swift/format.js"
};
const struct EmbeddedFile format_js = {format_js_bytes, sizeof format_js_bytes};

static const unsigned char json_js_bytes[] = {
#embed "../ScriptChild/Swift/json.js"
};
const struct EmbeddedFile json_js = {json_js_bytes, sizeof json_js_bytes};

static const unsigned char library_js_bytes[] = {
#embed "../ScriptChild/Swift/library.js"
};
const struct EmbeddedFile library_js = {library_js_bytes, sizeof library_js_bytes};

static const unsigned char search_js_bytes[] = {
#embed "../ScriptChild/Swift/search.js"
};
const struct EmbeddedFile search_js = {search_js_bytes, sizeof search_js_bytes};

static const unsigned char url_js_bytes[] = {
#embed "../ScriptChild/Swift/url.js"
};
const struct EmbeddedFile url_js = {url_js_bytes, sizeof url_js_bytes};
