/** Requests to the API, and what they would be as `curl`. */

import { quote } from "./curl.js";

/** An answer that is a problem document (RFC 9457). */
export class Problem extends Error {
    constructor(document, request) {
        super(document.detail ?? document.title ?? "The service answered with an error.");
        this.document = document;
        this.request = request;
    }

    get code() {
        return this.document.code;
    }

    get items() {
        return this.document.errors ?? [];
    }
}

/** Is told of each request that is sent, `{method, path, query, body}`. */
export const requests = new EventTarget();

/** A path of segments, `path`v1/apps/${app}`` encodes what it is given. */
export function path(texts, ...values) {
    return "/" + texts.map((text, index) => text + (index < values.length ? encodeURIComponent(values[index]) : "")).join("");
}

/** The address of a request. */
export function target(request) {
    const given = Object.entries(request.query ?? {}).filter(([, value]) => value !== null && value !== undefined && value !== "");
    const parameters = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
    return request.path + (parameters && "?" + parameters);
}

/**
 * Sends a request, and answers what its JSON says; null where there is none.
 *
 * @param {{method?: string, path: string, query?: object, body?: any, type?: string, fields?: object, signal?: AbortSignal,
 *     keepsFractions?: boolean}} request `keepsFractions`: a number written with a fraction comes as `{$numberDouble: "1.0"}`, since
 *     1.0 and 1 are other values in a realm.
 */
export async function ask(request) {
    requests.dispatchEvent(new CustomEvent("request", { detail: request }));
    let response;
    try {
        response = await fetch(target(request), {
            method: request.method ?? "GET", headers: headers(request), body: encoded(request), signal: request.signal,
            cache: "no-store", redirect: "error",
        });
    } catch (error) {
        if (error.name === "AbortError") throw error;
        throw new Problem({ code: "unreachable", detail: "The service can't be reached just now." }, request);
    }
    return answer(response.status, await response.text(), request);
}

/** A page of a list; where a filter is refused one without items, with the `problem`, so that the filter can be mended. */
export async function askList(request) {
    try {
        return await ask(request);
    } catch (problem) {
        if (problem.code !== "invalid_parameter") throw problem;
        return { items: [], next: null, problem };
    }
}

/** The value that an answer has. */
export function answer(status, text, request) {
    const value = text === "" ? null : parsed(text, request.keepsFractions);
    if (status < 400) return value;
    if (status === 401) document.dispatchEvent(new CustomEvent("signed-out"));
    throw new Problem(value ?? { detail: `The service answered with status ${status}.` }, request);
}

/** Integers beyond what a double holds keep all their digits, as `BigInt`. */
export function parsed(text, keepsFractions = false) {
    try {
        return JSON.parse(text, (_, value, context) => {
            if (typeof value !== "number") return value;
            const source = context?.source ?? String(value);
            if (/^-?\d+$/.test(source)) return Number.isSafeInteger(value) ? value : BigInt(source);
            return keepsFractions ? { $numberDouble: source } : value;
        });
    } catch {
        return null;
    }
}

/** JSON of a value in which numbers are as they were read: integers with all their digits, and 1.0 with its fraction. */
export function stringified(value, indent) {
    return JSON.stringify(value, (_, item) => {
        if (typeof item === "bigint") return JSON.rawJSON(String(item));
        const fraction = item?.$numberDouble;
        return typeof fraction === "string" && Number.isFinite(Number(fraction)) ? JSON.rawJSON(fraction) : item;
    }, indent);
}

/** An integer, as `parsed` has it. */
export function integer(text) {
    const number = Number(text);
    return Number.isSafeInteger(number) ? number : BigInt(text);
}

function encoded(request) {
    if (request.body === undefined) return undefined;
    return request.type ? request.body : stringified(request.body);
}

function headers(request) {
    const type = request.body === undefined ? {} : { "Content-Type": request.type ?? "application/json" };
    return { ...type, ...request.fields };
}

/** A request as a command for a shell. */
export function curl(request) {
    const method = request.method ?? "GET";
    // An answer that is an error must not lie in the file under the name of what was asked for.
    const options = (request.output ? "--fail " : "") + (method === "GET" ? "" : `-X ${method} `);
    const lines = [`curl ${options}${quote(location.origin + target(request))}`];
    lines.push('-H "Authorization: Bearer $KEY"');
    for (const [name, value] of Object.entries(headers(request))) {
        // A secret is shown by its name alone.
        if (name === "Realm-Encryption-Key") lines.push('-H "Realm-Encryption-Key: $ENCRYPTION_KEY"');
        else if (name !== "Authorization") lines.push(`-H ${quote(`${name}: ${value}`)}`);
    }
    if (request.file) lines.push(`--data-binary ${quote(`@${request.file}`)}`);
    else if (request.body !== undefined) lines.push(`-d ${quote(encoded(request))}`);
    if (request.output) lines.push(`-o ${quote(request.output)}`);
    return lines.join(" \\\n    ");
}
