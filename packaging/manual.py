"""Manual pages and completions of shells, made from what `realmshift help --json` says."""

import re


def roff(text):
    """A text as roff takes it: no word of it is a request or an escape."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return re.sub(r"^([.'])", r"\\&\1", text, flags=re.M)


def head(title, date, version, summary):
    return (f'.TH {title.upper()} 1 "{date}" "realmshift {version}" "User Commands"\n.SH NAME\n'
            f"{roff(title)} \\- {roff(summary)}\n")


def overview(table, date):
    """The page of the program."""
    page = head("realmshift", date, table["version"], "migrate Realm databases, as a service and from the command line")
    page += ".SH SYNOPSIS\n.B realmshift\n.I COMMAND\n[options]\n.SH COMMANDS\n"
    for command in table["commands"]:
        page += f".TP\n.B {roff(command['name'])}\n{roff(command['summary'])}; see\n.BR realmshift\\-{command['name']} (1)\n"
    page += ".SH EXIT STATUS\n"
    for status in table["exitCodes"]:
        page += f".TP\n.B {status['code']}\n{roff(status['meaning'])}\n"
    page += (".SH FILES\n.TP\n.I /etc/realmshift/realmshift.conf\nThe environment of the units realmshift.service and "
             "realmshift\\-worker.service.\n.TP\n.I /var/lib/realmshift\nThe service's data.\n"
             ".SH SEE ALSO\n" + ",\n".join(f".BR realmshift\\-{each['name']} (1)" for each in table["commands"]).replace(",\n", " ,\n") + "\n")
    return page


def page(command, table, date):
    """The page of a command."""
    name = f"realmshift-{command['name']}"
    text = head(name, date, table["version"], command["summary"])
    needed = command["operands"] + [title(each) for each in command["options"] if each["required"]]
    text += f".SH SYNOPSIS\n.B realmshift {command['name']}\n{roff(' '.join(needed))} [options]\n"
    text += f".SH DESCRIPTION\n{roff(command['discussion'])}\n.SH OPTIONS\n"
    for option in command["options"]:
        argument = f" \\fI{roff(option['argument'])}\\fR" if option["argument"] else ""
        text += f".TP\n\\fB{roff(option['name'])}\\fR{argument}\n{roff(option['help'])}\n"
    text += ".SH EXAMPLES\n" + ".PP\n".join(f".nf\nrealmshift {roff(each)}\n.fi\n" for each in command["examples"])
    return text + ".SH SEE ALSO\n.BR realmshift (1)\n"


def title(option):
    return f"{option['name']} {option['argument']}" if option["argument"] else option["name"]


def pages(table, date):
    """Each page by the name of its file."""
    named = {"realmshift.1": overview(table, date)}
    for command in table["commands"]:
        named[f"realmshift-{command['name']}.1"] = page(command, table, date)
    return named


def bash(table):
    lines = ["# bash completion for realmshift", "_realmshift() {",
             '    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}', "    COMPREPLY=()",
             "    if [ \"$COMP_CWORD\" -eq 1 ]; then",
             f"        mapfile -t COMPREPLY < <(compgen -W {quoted(names(table) + ' help')} -- \"$cur\")", "        return",
             "    fi", '    case "${COMP_WORDS[1]} $prev" in']
    for command in table["commands"]:
        for option in command["options"]:
            if option["choices"]:
                words = quoted(" ".join(option["choices"]))
                lines.append(f"    '{command['name']} {option['name']}')")
                lines.append(f"        mapfile -t COMPREPLY < <(compgen -W {words} -- \"$cur\"); return ;;")
    lines += ["    esac", "    case \"${COMP_WORDS[1]} $cur\" in",
              f"    'help '*) mapfile -t COMPREPLY < <(compgen -W {quoted(names(table))} -- \"$cur\") ;;"]
    for command in table["commands"]:
        options = quoted(" ".join(each["name"] for each in command["options"]) + " --help")
        lines.append(f"    '{command['name']} -'*) mapfile -t COMPREPLY < <(compgen -W {options} -- \"$cur\") ;;")
    # Nothing found means a file: -o default.
    return "\n".join(lines + ["    esac", "}", "complete -o default -F _realmshift realmshift", ""])


def zsh(table):
    lines = ["#compdef realmshift", "local -a subcommands", "subcommands=("]
    lines += [f"    {quoted(each['name'] + ':' + each['summary'])}" for each in table["commands"]]
    lines += [")", "if (( CURRENT == 2 )); then", "    _describe command subcommands", "    return", "fi",
              "local subcommand=${words[2]}", "shift words", "(( CURRENT-- ))", "case $subcommand in"]
    for command in table["commands"]:
        specs = []
        for option in command["options"]:
            text = re.sub(r"([\[\]:\\])", r"\\\1", option["help"])
            spec = f"{option['name']}[{text}]"
            if option["argument"]:
                action = f"({' '.join(option['choices'])})" if option["choices"] else "_files"
                spec += f":{option['argument'].replace(':', chr(92) + ':')}:{action}"
            specs.append(quoted(f"*{spec}"))
        specs.append(quoted("*:file:_files"))
        lines.append(f"{command['name']})\n    _arguments \\\n        " + " \\\n        ".join(specs) + " ;;")
    lines.append(f"help) _values command {names(table)} ;;")
    return "\n".join(lines + ["esac", ""])


def fish(table):
    lines = ["# fish completion for realmshift",
             "complete -c realmshift -n __fish_use_subcommand -f -a help -d 'say what a command takes'"]
    for command in table["commands"]:
        lines.append(f"complete -c realmshift -n __fish_use_subcommand -f -a {command['name']} -d {quoted(command['summary'])}")
        for option in command["options"]:
            value = " -r" if option["argument"] else ""
            if option["choices"]:
                value = f" -x -a {quoted(' '.join(option['choices']))}"
            lines.append(f"complete -c realmshift -n '__fish_seen_subcommand_from {command['name']}' "
                         f"-l {option['name'].removeprefix('--')}{value} -d {quoted(option['help'])}")
    lines.append(f"complete -c realmshift -n '__fish_seen_subcommand_from help' -f -a {quoted(names(table))}")
    return "\n".join(lines + [""])


def names(table):
    return " ".join(command["name"] for command in table["commands"])


def quoted(text):
    """A text as one word of bash and zsh; for fish a backslash is doubled inside quotes as well."""
    return "'" + text.replace("'", "'\\''") + "'"
