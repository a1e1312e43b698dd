#compdef incrowd

autoload -U is-at-least

_incrowd() {
    typeset -A opt_args
    typeset -a _arguments_options
    local ret=1

    if is-at-least 5.2; then
        _arguments_options=(-s -S -C)
    else
        _arguments_options=(-s -C)
    fi

    local context curcontext="$curcontext" state line
    _arguments "${_arguments_options[@]}" : \
'--format=[How results are printed\: text for people, json for machines (stable fields, a version number)]:FORMAT:((text\:"For people"
json\:"For machines"))' \
'-h[Print help (see more with '\''--help'\'')]' \
'--help[Print help (see more with '\''--help'\'')]' \
'-V[Print version]' \
'--version[Print version]' \
":: :_incrowd_commands" \
"*::: :->incrowd" \
&& ret=0
    case $state in
    (incrowd)
        words=($line[1] "${words[@]}")
        (( CURRENT += 1 ))
        curcontext="${curcontext%:*:*}:incrowd-command-$line[1]:"
        case $line[1] in
            (plan)
_arguments "${_arguments_options[@]}" : \
'*--counts=[Group sizes to show, such as 1,5,20]:N,N,...:_default' \
'--want=[Accuracy first\: "50\: 5" asks what must change for groups of 50 to be within 5 on average]:SIZE: ERROR:_default' \
'--chart=[Write the chart of error by group size to this SVG file; an existing file is not overwritten]:FILE.svg:_files' \
'--format=[How results are printed\: text for people, json for machines (stable fields, a version number)]:FORMAT:((text\:"For people"
json\:"For machines"))' \
'--no-chart[Leave the chart out of the text]' \
'-h[Print help (see more with '\''--help'\'')]' \
'--help[Print help (see more with '\''--help'\'')]' \
'*::requests -- Requests; `-` reads one from standard input:_files' \
&& ret=0
;;
(compare)
_arguments "${_arguments_options[@]}" : \
'*--counts=[Group sizes to compare, such as 1,5,20]:N,N,...:_default' \
'--chart=[Write the chart of error by group size to this SVG file; an existing file is not overwritten]:FILE.svg:_files' \
'--format=[How results are printed\: text for people, json for machines (stable fields, a version number)]:FORMAT:((text\:"For people"
json\:"For machines"))' \
'--no-chart[Leave the chart out of the text]' \
'-h[Print help (see more with '\''--help'\'')]' \
'--help[Print help (see more with '\''--help'\'')]' \
':request -- A request; `-` reads it from standard input:_files' \
&& ret=0
;;
(law)
_arguments "${_arguments_options[@]}" : \
'--count=[How many people are in the bin]:K:_default' \
'--format=[How results are printed\: text for people, json for machines (stable fields, a version number)]:FORMAT:((text\:"For people"
json\:"For machines"))' \
'--all[Print every outcome; text otherwise leaves the rarest out and says how much they weigh]' \
'-h[Print help (see more with '\''--help'\'')]' \
'--help[Print help (see more with '\''--help'\'')]' \
':request -- A request; `-` reads it from standard input:_files' \
&& ret=0
;;
(draw)
_arguments "${_arguments_options[@]}" : \
'--count=[How many people are in the hypothetical bin]:K:_default' \
'--times=[How often to draw]:N:_default' \
'--test-seed=[Repeatable draws, for tests\: only with \`\[data\] synthetic = true\`. Nothing drawn so is private]:SEED:_default' \
'--format=[How results are printed\: text for people, json for machines (stable fields, a version number)]:FORMAT:((text\:"For people"
json\:"For machines"))' \
'-h[Print help (see more with '\''--help'\'')]' \
'--help[Print help (see more with '\''--help'\'')]' \
':request -- A request; `-` reads it from standard input:_files' \
&& ret=0
;;
(schema)
_arguments "${_arguments_options[@]}" : \
'--format=[How results are printed\: text for people, json for machines (stable fields, a version number)]:FORMAT:((text\:"For people"
json\:"For machines"))' \
'-h[Print help (see more with '\''--help'\'')]' \
'--help[Print help (see more with '\''--help'\'')]' \
&& ret=0
;;
(completions)
_arguments "${_arguments_options[@]}" : \
'--format=[How results are printed\: text for people, json for machines (stable fields, a version number)]:FORMAT:((text\:"For people"
json\:"For machines"))' \
'-h[Print help (see more with '\''--help'\'')]' \
'--help[Print help (see more with '\''--help'\'')]' \
':shell -- Which shell:(bash elvish fish powershell zsh)' \
&& ret=0
;;
(help)
_arguments "${_arguments_options[@]}" : \
":: :_incrowd__subcmd__help_commands" \
"*::: :->help" \
&& ret=0

    case $state in
    (help)
        words=($line[1] "${words[@]}")
        (( CURRENT += 1 ))
        curcontext="${curcontext%:*:*}:incrowd-help-command-$line[1]:"
        case $line[1] in
            (plan)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
(compare)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
(law)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
(draw)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
(schema)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
(completions)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
(help)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
        esac
    ;;
esac
;;
        esac
    ;;
esac
}

(( $+functions[_incrowd_commands] )) ||
_incrowd_commands() {
    local commands; commands=(
'plan:What will be promised, to whom, at what cost, with what error. Reads no data.' \
'compare:Every mechanism that meets the same promise\: error and silence by group size.' \
'law:The exact law of what a bin of a given size may publish.' \
'draw:Draws from the real sampler for a hypothetical count, for outside auditors.' \
'schema:The JSON Schema of requests, for editors' \
'completions:A completion script for a shell' \
'help:Print this message or the help of the given subcommand(s)' \
    )
    _describe -t commands 'incrowd commands' commands "$@"
}
(( $+functions[_incrowd__subcmd__compare_commands] )) ||
_incrowd__subcmd__compare_commands() {
    local commands; commands=()
    _describe -t commands 'incrowd compare commands' commands "$@"
}
(( $+functions[_incrowd__subcmd__completions_commands] )) ||
_incrowd__subcmd__completions_commands() {
    local commands; commands=()
    _describe -t commands 'incrowd completions commands' commands "$@"
}
(( $+functions[_incrowd__subcmd__draw_commands] )) ||
_incrowd__subcmd__draw_commands() {
    local commands; commands=()
    _describe -t commands 'incrowd draw commands' commands "$@"
}
(( $+functions[_incrowd__subcmd__help_commands] )) ||
_incrowd__subcmd__help_commands() {
    local commands; commands=(
'plan:What will be promised, to whom, at what cost, with what error. Reads no data.' \
'compare:Every mechanism that meets the same promise\: error and silence by group size.' \
'law:The exact law of what a bin of a given size may publish.' \
'draw:Draws from the real sampler for a hypothetical count, for outside auditors.' \
'schema:The JSON Schema of requests, for editors' \
'completions:A completion script for a shell' \
'help:Print this message or the help of the given subcommand(s)' \
    )
    _describe -t commands 'incrowd help commands' commands "$@"
}
(( $+functions[_incrowd__subcmd__help__subcmd__compare_commands] )) ||
_incrowd__subcmd__help__subcmd__compare_commands() {
    local commands; commands=()
    _describe -t commands 'incrowd help compare commands' commands "$@"
}
(( $+functions[_incrowd__subcmd__help__subcmd__completions_commands] )) ||
_incrowd__subcmd__help__subcmd__completions_commands() {
    local commands; commands=()
    _describe -t commands 'incrowd help completions commands' commands "$@"
}
(( $+functions[_incrowd__subcmd__help__subcmd__draw_commands] )) ||
_incrowd__subcmd__help__subcmd__draw_commands() {
    local commands; commands=()
    _describe -t commands 'incrowd help draw commands' commands "$@"
}
(( $+functions[_incrowd__subcmd__help__subcmd__help_commands] )) ||
_incrowd__subcmd__help__subcmd__help_commands() {
    local commands; commands=()
    _describe -t commands 'incrowd help help commands' commands "$@"
}
(( $+functions[_incrowd__subcmd__help__subcmd__law_commands] )) ||
_incrowd__subcmd__help__subcmd__law_commands() {
    local commands; commands=()
    _describe -t commands 'incrowd help law commands' commands "$@"
}
(( $+functions[_incrowd__subcmd__help__subcmd__plan_commands] )) ||
_incrowd__subcmd__help__subcmd__plan_commands() {
    local commands; commands=()
    _describe -t commands 'incrowd help plan commands' commands "$@"
}
(( $+functions[_incrowd__subcmd__help__subcmd__schema_commands] )) ||
_incrowd__subcmd__help__subcmd__schema_commands() {
    local commands; commands=()
    _describe -t commands 'incrowd help schema commands' commands "$@"
}
(( $+functions[_incrowd__subcmd__law_commands] )) ||
_incrowd__subcmd__law_commands() {
    local commands; commands=()
    _describe -t commands 'incrowd law commands' commands "$@"
}
(( $+functions[_incrowd__subcmd__plan_commands] )) ||
_incrowd__subcmd__plan_commands() {
    local commands; commands=()
    _describe -t commands 'incrowd plan commands' commands "$@"
}
(( $+functions[_incrowd__subcmd__schema_commands] )) ||
_incrowd__subcmd__schema_commands() {
    local commands; commands=()
    _describe -t commands 'incrowd schema commands' commands "$@"
}

if [ "$funcstack[1]" = "_incrowd" ]; then
    _incrowd "$@"
else
    compdef _incrowd incrowd
fi
