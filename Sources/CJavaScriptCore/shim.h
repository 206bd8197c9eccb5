#pragma once

#include <JavaScriptCore/JavaScript.h>

// Exported by the library, absent from its installed headers.
void JSGlobalContextSetEvalEnabled(JSGlobalContextRef context, bool enabled, JSStringRef message);
typedef struct OpaqueJSScript *JSScriptRef;
JSScriptRef JSScriptCreateFromString(
    JSContextGroupRef group, JSStringRef url, int startingLine, JSStringRef source, JSStringRef *error, int *errorLine);
void JSScriptRelease(JSScriptRef script);
JSValueRef JSScriptEvaluate(JSContextRef context, JSScriptRef script, JSValueRef thisValue, JSValueRef *exception);
typedef bool (*JSShouldTerminateCallback)(JSContextRef context, void *data);
void JSContextGroupSetExecutionTimeLimit(
    JSContextGroupRef group, double seconds, JSShouldTerminateCallback callback, void *data);
void JSContextGroupClearExecutionTimeLimit(JSContextGroupRef group);
JSStringRef JSContextCreateBacktrace(JSContextRef context, unsigned size);
void JSSynchronousGarbageCollectForDebugging(JSContextRef context);

// Declared in jsc/JSCOptions.h, which needs GLib's headers; a gboolean is an int.
int jsc_options_set_boolean(const char *option, int value);
int jsc_options_get_boolean(const char *option, int *value);
