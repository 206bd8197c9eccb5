#pragma once

#include <JavaScriptCore/JavaScript.h>

// Exported by the library, absent from its installed headers.
void JSGlobalContextSetEvalEnabled(JSGlobalContextRef context, bool enabled, JSStringRef message);
void JSSynchronousGarbageCollectForDebugging(JSContextRef context);

// Declared in jsc/JSCOptions.h, which needs GLib's headers; a gboolean is an int.
int jsc_options_set_boolean(const char *option, int value);
