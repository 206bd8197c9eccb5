#include "CSimdjson.h"

#include <new>
#include <simdjson.h>

// simdjson reports errors as codes; nothing here may throw into Swift.

struct CSimdjsonParser {
    simdjson::dom::parser parser;
    size_t max_depth;
};

size_t csimdjson_padding(void) { return simdjson::SIMDJSON_PADDING; }

CSimdjsonParser *csimdjson_create(size_t max_depth) {
    auto *made = new (std::nothrow) CSimdjsonParser();
    if (made) made->max_depth = max_depth;
    return made;
}

void csimdjson_destroy(CSimdjsonParser *parser) { delete parser; }

int csimdjson_parse(
    CSimdjsonParser *parser, const uint8_t *bytes, size_t length, const uint64_t **words, const uint8_t **strings) {
    simdjson::dom::parser &dom = parser->parser;
    if (length > dom.capacity() || dom.max_depth() != parser->max_depth) {
        // Half more than is asked for, so that values that grow slowly do not allocate each time.
        size_t capacity = length < 65536 ? 65536 : length + length / 2;
        auto error = dom.allocate(capacity, parser->max_depth);
        if (!error) error = dom.doc.allocate(capacity);
        if (error) return static_cast<int>(error);
    }
    simdjson::dom::element root;
    auto error = dom.parse(bytes, length, false).get(root);
    if (error) return static_cast<int>(error);
    *words = dom.doc.tape.get();
    *strings = dom.doc.string_buf.get();
    return 0;
}
