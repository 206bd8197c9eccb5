"""Causes of differences that the lowering once had: which constructs have them, and how a program of that cause reads.

The names are those of a list of small programs with one cause each. `find` looks for each of them with a program of that time.
"""

import re

from generate import make
from judging.judge import first_difference

CHANGERS = r"(bump|turn|reset|put|next|grow|add)\("
CAUSES = {
    "capture-list": ("capture-list", r"\{ \[\w+(, \w+)?\] (\(\) -> \w+ )?in"),
    "capture-list-loop": ("capture-list", r"steps(\.append| \+=)[^\n]*\["),
    "capture-list-named": ("capture-list", r"\{ \[\w+ = "),
    "capture-list-parameter": ("capture-list", r"\{ \[\w+\] \(x: Int\)"),
    "case-special": ("text-unicode", r"lowercased|capitalized|padding"),
    "class-in-struct": ("class-reference", r"struct Holder"),
    "class-override": ("class-inheritance", r"override "),
    "class-own-type-array": ("class-own-type", r"kids: \[Tree§\]"),
    "class-own-type-initializer": ("class-own-type", r"next: Node§\?[\s\S]*init\("),
    "class-own-type-optional": ("class-own-type", r"var (next: Node|peer: Member)§"),
    "class-own-type-weak": ("class-own-type", r"weak var peer"),
    "class-returns-self": ("class-chain", r"return self"),
    "comparable-sorted": ("comparable", r"struct Item§: Comparable[\s\S]*sort"),
    "date-format": ("date", r"format\.date|-0\.5|0\.125|399\.25"),
    "date-format-names": ("date", r"(MMM|EEE)[\s\S]*format\."),
    "decode-invalid": ("bytes", r"String\(decoding:"),
    "description-enum": ("description", r"enum Item§[^\n]*CustomStringConvertible"),
    "description-struct": ("description", r"struct Item§: Custom"),
    "dictionary-default-mutating": ("dictionary-default", r"default: [^\n]*\)\]\." + CHANGERS),
    "dictionary-value-mutating": ("mutating-method,optional-chain", r"\][?!]\." + CHANGERS),
    "dispatch": ("concurrency", r"DispatchQueue"),
    "enum-assigns-self": ("self-assign,enum-copy", r"enum [\s\S]*self = (Kind§)?\.\w+\n"),
    "enum-assigns-self-payload": ("self-assign,enum-copy", r"enum [\s\S]*self = (Kind§)?\.\w+\("),
    "enum-comparable": ("comparable", r"enum Item§: Comparable"),
    "equality-class": ("equality", r"class Item§: Equatable"),
    "equality-in-dictionary": ("equality", r'\["k": Item'),
    "equality-struct": ("equality", r"struct Item§: Equatable"),
    "extension-mutating-array": ("extension-mutating", r"extension Array"),
    "extension-mutating-int": ("extension-mutating", r"extension Int"),
    "extension-mutating-string": ("extension-mutating", r"extension String"),
    "float-square-root": ("float", r"squareRoot|sqrt\("),
    "format": ("format", r"String\(format:"),
    "hashable-nil": ("hashable-nil", r"Key§: Hashable"),
    "hashable-set": ("hashable", r"Set"),
    "initializer-delegates": ("initializer", r"self\.init\("),
    "inout-dictionary": ("inout-dictionary", r"&\w+\[[^\]]*(default:[^\n]*|\]!)\)"),
    "inout-element-int": ("inout-element", r"var value: \[(Int|Double|String|Bool)\][\s\S]*&value\["),
    "inout-element-struct": ("inout-element", r"var value: \[(Record|Kind)§\][\s\S]*&value\["),
    "inout-member": ("inout-member", r"&\w+(\[\d\])?\.\w+"),
    "inout-struct-places": ("inout-element,inout-dictionary", r"Record§[\s\S]*&value\["),
    "lazy-and-shared": ("lazy", r"class Late§"),
    "lazy-in-struct": ("lazy", r"struct Late§"),
    "localized-error": ("error-words", r"localizedDescription"),
    "observer-overridden": ("observer", r"override var x"),
    "operators": ("operator", r"static (prefix )?func"),
    "protocol-static": ("protocol-static", r"T\(\)|T\.name"),
    "replace-canonical": ("text-search", r"u\{301\}[\s\S]*replacingOccurrences|replacingOccurrences[\s\S]*u\{301\}"),
    "semicolons": ("struct-copy,mutating-method", r"struct \w+§ \{ var [^\n]*;"),
    "set-insert-nil": ("hashable-nil", r"inserted"),
    "slice-contains-index": ("slice", r"indices\.contains"),
    "slice-drop-first": ("slice", r"dropFirst"),
    "slice-indices": ("slice", r"all\[[\s\S]*(indices|startIndex|part\[)"),
    "static-shared": ("static", r"Shared§\.\w+\.n"),
    "task": ("concurrency", r"Task"),
    "tuple-appended": ("tuple-rows,tuple-copy", r"append\((last|value)"),
    "tuple-array-copies": ("tuple-rows", r"before = rows"),
    "tuple-changed-after-copy": ("tuple-copy", r"(copy|kept)\d*(: [^\n]*)? = \w+"),
    "tuple-copy": ("tuple-copy", r"var copy\d*(: [^\n]*)? = \w+"),
    "tuple-from-member": ("tuple-copy,nested-values", r"\.(pair|held|title|rest|x|mark|size|list)\b|if var p"),
    "tuple-in-loop": ("tuple-rows", r"(for|while) [^\n]*\n[\s\S]*last\."),
    "tuple-into-dictionary": ("tuple-rows", r"rows\[i\] = last"),
    "tuple-nested": ("nested-values,struct-copy", r": \("),
    "tuple-returned": ("tuple-copy,inout-variable", r"func (get|both|pass)|let give"),
    "tuple-running-total": ("tuple-rows", r"last\.\w+ \+= i"),
    "url-text": ("url", r"é|c d"),
}


def find(judge, count=60):
    """Prints for each cause whether the generator finds a failure of it: judges the three shortest of some sixty programs of its kind."""
    chosen = {}
    for cause, (names, pattern) in CAUSES.items():
        programs = [make(name, f"cause.{index}") for name in names.split(",") for index in range(count)]
        chosen[cause] = sorted((p for p in programs if re.search(pattern, p.text)), key=lambda p: len(p.text))[:3]
        chosen[cause] += [p for p in programs if p not in chosen[cause] and re.search(pattern, p.text)][:2]
    everything = [program for some in chosen.values() for program in some]
    judged = iter(judge.judge(everything))
    for cause, (names, _) in CAUSES.items():
        outcomes = [next(judged) for _ in chosen[cause]]
        kinds = [outcome.kind for outcome, _ in outcomes]
        failed = [index for index, kind in enumerate(kinds) if kind in ("different", "stopped")]
        word = "found" if failed else "refused" if "refused" in kinds else "equal"
        print(f"{cause:28} {word:8} {names}: {', '.join(kinds)}", flush=True)
        if failed:
            outcome, wanted = outcomes[failed[0]]
            words = "got {!r}, by the compiler {!r}".format(*first_difference(outcome,
                wanted)) if outcome.kind == "different" else outcome.words
            print(f"    seed {chosen[cause][failed[0]].seed}: {words[:200]}")
