"""Manual pages and completions of shells, made from what `realmshift help --json` says."""

import re


def roff(text):
    """A text as roff takes it: no word of it is a request or an escape."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return re.sub(r"^([.'])", r"\\&\1", text, flags=re.M)


def head(title, date, version, summary):
    return (f'.TH {title.upper()} 1 "{date}" "realmshift {version}" "User Commands"\n.SH NAME\n'
            f"{roff(title)} \\- {roff(summary)}\n")


def commands(table):
    """The commands by name, those for files first: a list of forms, since some are for files and for a service."""
    named = {}
    for form in table["commands"] + table["serverCommands"]:
        named.setdefault(form["name"], []).append(form)
    return named


def options(forms):
    """The options of all forms of a command, each once."""
    return list({option["name"]: option for form in reversed(forms) for option in reversed(form["options"])}.values())[::-1]


def overview(table, date):
    """The page of the program."""
    page = head("realmshift", date, table["version"], "migrate Realm databases, as a service and from the command line")
    page += ".SH SYNOPSIS\n.B realmshift\n.I COMMAND\n[options]\n.SH COMMANDS\n"
    for name, forms in commands(table).items():
        page += f".TP\n.B {roff(name)}\n{roff(forms[0]['summary'])}; see\n.BR realmshift\\-{name} (1)\n"
    page += ".SH EXIT STATUS\n"
    for status in table["exitCodes"]:
        page += f".TP\n.B {status['code']}\n{roff(status['meaning'])}\n"
    page += (".SH ENVIRONMENT\n.TP\n.B REALMSHIFT_SERVER\nThe service that commands ask.\n.TP\n.B REALMSHIFT_KEY\nThe API key.\n"
             ".TP\n.B REALMSHIFT_PROFILE\nThe profile that commands use.\n"
             ".TP\n.B REALMSHIFT_DATABASE_URL\nThe database of serve and worker.\n"
             ".SH FILES\n.TP\n.I ~/.config/realmshift/profiles.json\nServices and the files of their keys, by names.\n"
             ".TP\n.I /etc/realmshift/realmshift.conf\nThe environment of the units realmshift.service and "
             "realmshift\\-worker.service.\n.TP\n.I /var/lib/realmshift\nThe service's data.\n"
             ".SH SEE ALSO\n" + " ,\n".join(f".BR realmshift\\-{name} (1)" for name in commands(table)) + "\n")
    return page


def page(forms, table, date):
    """The page of a command, which may be for files and for a service."""
    text = head(f"realmshift-{forms[0]['name']}", date, table["version"], forms[0]["summary"]) + ".SH SYNOPSIS\n"
    for number, form in enumerate(forms):
        needed = form["operands"] + [title(each) for each in form["options"] if each["required"]]
        server = " --server URL" if number else ""
        text += (".br\n" if number else "") + f".B realmshift {form['name']}\n{roff(' '.join(needed) + server)} [options]\n"
    text += f".SH DESCRIPTION\n{roff(forms[0]['discussion'])}\n.SH OPTIONS\n" + described(forms[0]["options"])
    for form in forms[1:]:
        text += f".SH REALMS OF A SERVICE\n{roff(form['discussion'])}\n" + described(form["options"])
    examples = [example for form in forms for example in form["examples"]]
    text += ".SH EXAMPLES\n" + ".PP\n".join(f".nf\nrealmshift {roff(each)}\n.fi\n" for each in examples)
    return text + ".SH SEE ALSO\n.BR realmshift (1)\n"


def described(options):
    return "".join(
        f".TP\n\\fB{roff(each['name'])}\\fR" + (f" \\fI{roff(each['argument'])}\\fR" if each["argument"] else "")
        + f"\n{roff(each['help'])}\n" for each in options)


def title(option):
    return f"{option['name']} {option['argument']}" if option["argument"] else option["name"]


def pages(table, date):
    """Each page by the name of its file."""
    named = {"realmshift.1": overview(table, date)}
    for name, forms in commands(table).items():
        named[f"realmshift-{name}.1"] = page(forms, table, date)
    return named


def bash(table):
    lines = ["# bash completion for realmshift", "_realmshift() {",
             '    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}', "    COMPREPLY=()",
             "    if [ \"$COMP_CWORD\" -eq 1 ]; then",
             f"        mapfile -t COMPREPLY < <(compgen -W {quoted(names(table) + ' help')} -- \"$cur\")", "        return",
             "    fi", '    case "${COMP_WORDS[1]} $prev" in']
    for name, forms in commands(table).items():
        for option in options(forms):
            if option["choices"]:
                words = quoted(" ".join(option["choices"]))
                lines.append(f"    '{name} {option['name']}')")
                lines.append(f"        mapfile -t COMPREPLY < <(compgen -W {words} -- \"$cur\"); return ;;")
    lines += ["    esac", "    case \"${COMP_WORDS[1]} $cur\" in",
              f"    'help '*) mapfile -t COMPREPLY < <(compgen -W {quoted(names(table))} -- \"$cur\") ;;"]
    for name, forms in commands(table).items():
        words = quoted(" ".join(each["name"] for each in options(forms)) + " --help")
        lines.append(f"    '{name} -'*) mapfile -t COMPREPLY < <(compgen -W {words} -- \"$cur\") ;;")
    # Nothing found means a file: -o default.
    return "\n".join(lines + ["    esac", "}", "complete -o default -F _realmshift realmshift", ""])


def zsh(table):
    lines = ["#compdef realmshift", "local -a subcommands", "subcommands=("]
    lines += [f"    {quoted(name + ':' + forms[0]['summary'])}" for name, forms in commands(table).items()]
    lines += [")", "if (( CURRENT == 2 )); then", "    _describe command subcommands", "    return", "fi",
              "local subcommand=${words[2]}", "shift words", "(( CURRENT-- ))", "case $subcommand in"]
    for name, forms in commands(table).items():
        specs = []
        for option in options(forms):
            text = re.sub(r"([\[\]:\\])", r"\\\1", option["help"])
            spec = f"{option['name']}[{text}]"
            if option["argument"]:
                action = f"({' '.join(option['choices'])})" if option["choices"] else "_files"
                spec += f":{option['argument'].replace(':', chr(92) + ':')}:{action}"
            specs.append(quoted(f"*{spec}"))
        specs.append(quoted("*:file:_files"))
        lines.append(f"{name})\n    _arguments \\\n        " + " \\\n        ".join(specs) + " ;;")
    lines.append(f"help) _values command {names(table)} ;;")
    return "\n".join(lines + ["esac", ""])


def fish(table):
    lines = ["# fish completion for realmshift",
             "complete -c realmshift -n __fish_use_subcommand -f -a help -d 'say what a command takes'"]
    for name, forms in commands(table).items():
        lines.append(f"complete -c realmshift -n __fish_use_subcommand -f -a {name} -d {quoted(forms[0]['summary'])}")
        for option in options(forms):
            value = " -r" if option["argument"] else ""
            if option["choices"]:
                value = f" -x -a {quoted(' '.join(option['choices']))}"
            lines.append(f"complete -c realmshift -n '__fish_seen_subcommand_from {name}' "
                         f"-l {option['name'].removeprefix('--')}{value} -d {quoted(option['help'])}")
    lines.append(f"complete -c realmshift -n '__fish_seen_subcommand_from help' -f -a {quoted(names(table))}")
    return "\n".join(lines + [""])


def names(table):
    return " ".join(commands(table))


def quoted(text):
    """A text as one word of bash and zsh; for fish a backslash is doubled inside quotes as well."""
    return "'" + text.replace("'", "'\\''") + "'"
