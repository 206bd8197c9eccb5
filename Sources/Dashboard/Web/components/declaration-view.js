/** What a declaration changes: the changes, renames that they may be, doubts, and the realms that would migrate. */

import { h } from "../core/dom.js";
import { counted } from "../core/format.js";
import { badge, empty } from "./parts.js";

/**
 * Shows a declared version, or what a check found.
 *
 * @param {object} found
 * @param {((rename: object) => void)|false} accept Takes a rename.
 */
export function declarationView(found, accept) {
    const { problem = null, changes = [], lint = [], impact, outcome } = found;
    const faults = problem ? (problem.errors ?? []).length || 1 : 0;
    return [
        h("h2", null, "What it changes"),
        "outcome" in found && h("p", null, faults > 0 ? badge("failed") : badge("passed"), " ",
            faults > 0 ? counted(faults, "fault") : outcomes[outcome] ?? "can be declared"),
        problem && (problem.errors ?? []).length === 0 && h("p", null, problem.detail),
        faults === 0 && changes.length === 0 && empty("Nothing, in the schema."),
        h("ul", { class: "findings" }, changes.map((change) => h("li", null, change.message ?? change.kind,
            change.serverSide === "breaking" || change.client === "breaking" ? [" ", badge("breaking")] : null))),
        renames(found, accept),
        lint.length > 0 && h("ul", { class: "findings" }, lint.map((item) => h("li", null, badge("warning"), " ", item.message))),
        impact && impactView(impact),
    ];
}

const outcomes = { new: "can be declared", same: "is declared as it stands here", revised: "makes a new revision" };

/** The renames that changes may be: a check lists them, a declared version has them at its changes. */
function renames({ suggestions, changes = [] }, accept) {
    const all = suggestions ?? changes.filter((item) => item.suggests)
        .map(({ class: name, property, suggests: { from, to } }) => (property ? { class: name, from, to } : { fromClass: from, toClass: to }));
    return accept && all.length > 0 && h("ul", { class: "findings" }, all.map((rename) => {
        const text = rename.fromClass ? `The class “${rename.fromClass}” was renamed to “${rename.toClass}”`
            : `${rename.class}: “${rename.from}” was renamed to “${rename.to}”`;
        return h("li", null, h("button", { type: "button", onclick: () => accept(rename) }, text));
    }));
}

function impactView({ realms, versions, breaksClients }) {
    const from = versions.map((item) => `${counted(item.count, "realm")} from ${item.version === null ? "no version" : `version ${item.version}`}`);
    return h("p", null, realms === 0 ? "No realm would migrate." : `${counted(realms, "realm")} would migrate: ${from.join(", ")}.`,
        breaksClients && " Clients of older versions can't go on with it.");
}
