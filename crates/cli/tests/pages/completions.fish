# Print an optspec for argparse to handle cmd's options that are independent of any subcommand.
function __fish_incrowd_global_optspecs
    string join \n format= h/help V/version
end

function __fish_incrowd_needs_command
    # Figure out if the current invocation already has a command.
    set -l cmd (commandline -opc)
    set -e cmd[1]
    argparse -s (__fish_incrowd_global_optspecs) -- $cmd 2>/dev/null
    or return
    if set -q argv[1]
        # Also print the command, so this can be used to figure out what it is.
        echo $argv[1]
        return 1
    end
    return 0
end

function __fish_incrowd_using_subcommand
    set -l cmd (__fish_incrowd_needs_command)
    test -z "$cmd"
    and return 1
    contains -- $cmd[1] $argv
end

complete -c incrowd -n "__fish_incrowd_needs_command" -l format -d 'How results are printed: text for people, json for machines (stable fields, a version number)' -r -f -a "text\t'For people'
json\t'For machines'"
complete -c incrowd -n "__fish_incrowd_needs_command" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c incrowd -n "__fish_incrowd_needs_command" -s V -l version -d 'Print version'
complete -c incrowd -n "__fish_incrowd_needs_command" -f -a "plan" -d 'What will be promised, to whom, at what cost, with what error. Reads no data.'
complete -c incrowd -n "__fish_incrowd_needs_command" -f -a "compare" -d 'Every mechanism that meets the same promise: error and silence by group size.'
complete -c incrowd -n "__fish_incrowd_needs_command" -f -a "law" -d 'The exact law of what a bin of a given size may publish.'
complete -c incrowd -n "__fish_incrowd_needs_command" -f -a "draw" -d 'Draws from the real sampler for a hypothetical count, for outside auditors.'
complete -c incrowd -n "__fish_incrowd_needs_command" -f -a "schema" -d 'The JSON Schema of requests, for editors'
complete -c incrowd -n "__fish_incrowd_needs_command" -f -a "completions" -d 'A completion script for a shell'
complete -c incrowd -n "__fish_incrowd_needs_command" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c incrowd -n "__fish_incrowd_using_subcommand plan" -l counts -d 'Group sizes to show, such as 1,5,20' -r
complete -c incrowd -n "__fish_incrowd_using_subcommand plan" -l want -d 'Accuracy first: "50: 5" asks what must change for groups of 50 to be within 5 on average' -r
complete -c incrowd -n "__fish_incrowd_using_subcommand plan" -l chart -d 'Write the chart of error by group size to this SVG file; an existing file is not overwritten' -r -F
complete -c incrowd -n "__fish_incrowd_using_subcommand plan" -l format -d 'How results are printed: text for people, json for machines (stable fields, a version number)' -r -f -a "text\t'For people'
json\t'For machines'"
complete -c incrowd -n "__fish_incrowd_using_subcommand plan" -l no-chart -d 'Leave the chart out of the text'
complete -c incrowd -n "__fish_incrowd_using_subcommand plan" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c incrowd -n "__fish_incrowd_using_subcommand compare" -l counts -d 'Group sizes to compare, such as 1,5,20' -r
complete -c incrowd -n "__fish_incrowd_using_subcommand compare" -l chart -d 'Write the chart of error by group size to this SVG file; an existing file is not overwritten' -r -F
complete -c incrowd -n "__fish_incrowd_using_subcommand compare" -l format -d 'How results are printed: text for people, json for machines (stable fields, a version number)' -r -f -a "text\t'For people'
json\t'For machines'"
complete -c incrowd -n "__fish_incrowd_using_subcommand compare" -l no-chart -d 'Leave the chart out of the text'
complete -c incrowd -n "__fish_incrowd_using_subcommand compare" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c incrowd -n "__fish_incrowd_using_subcommand law" -l count -d 'How many people are in the bin' -r
complete -c incrowd -n "__fish_incrowd_using_subcommand law" -l format -d 'How results are printed: text for people, json for machines (stable fields, a version number)' -r -f -a "text\t'For people'
json\t'For machines'"
complete -c incrowd -n "__fish_incrowd_using_subcommand law" -l all -d 'Print every outcome; text otherwise leaves the rarest out and says how much they weigh'
complete -c incrowd -n "__fish_incrowd_using_subcommand law" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c incrowd -n "__fish_incrowd_using_subcommand draw" -l count -d 'How many people are in the hypothetical bin' -r
complete -c incrowd -n "__fish_incrowd_using_subcommand draw" -l times -d 'How often to draw' -r
complete -c incrowd -n "__fish_incrowd_using_subcommand draw" -l test-seed -d 'Repeatable draws, for tests: only with `[data] synthetic = true`. Nothing drawn so is private' -r
complete -c incrowd -n "__fish_incrowd_using_subcommand draw" -l format -d 'How results are printed: text for people, json for machines (stable fields, a version number)' -r -f -a "text\t'For people'
json\t'For machines'"
complete -c incrowd -n "__fish_incrowd_using_subcommand draw" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c incrowd -n "__fish_incrowd_using_subcommand schema" -l format -d 'How results are printed: text for people, json for machines (stable fields, a version number)' -r -f -a "text\t'For people'
json\t'For machines'"
complete -c incrowd -n "__fish_incrowd_using_subcommand schema" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c incrowd -n "__fish_incrowd_using_subcommand completions" -l format -d 'How results are printed: text for people, json for machines (stable fields, a version number)' -r -f -a "text\t'For people'
json\t'For machines'"
complete -c incrowd -n "__fish_incrowd_using_subcommand completions" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c incrowd -n "__fish_incrowd_using_subcommand help; and not __fish_seen_subcommand_from plan compare law draw schema completions help" -f -a "plan" -d 'What will be promised, to whom, at what cost, with what error. Reads no data.'
complete -c incrowd -n "__fish_incrowd_using_subcommand help; and not __fish_seen_subcommand_from plan compare law draw schema completions help" -f -a "compare" -d 'Every mechanism that meets the same promise: error and silence by group size.'
complete -c incrowd -n "__fish_incrowd_using_subcommand help; and not __fish_seen_subcommand_from plan compare law draw schema completions help" -f -a "law" -d 'The exact law of what a bin of a given size may publish.'
complete -c incrowd -n "__fish_incrowd_using_subcommand help; and not __fish_seen_subcommand_from plan compare law draw schema completions help" -f -a "draw" -d 'Draws from the real sampler for a hypothetical count, for outside auditors.'
complete -c incrowd -n "__fish_incrowd_using_subcommand help; and not __fish_seen_subcommand_from plan compare law draw schema completions help" -f -a "schema" -d 'The JSON Schema of requests, for editors'
complete -c incrowd -n "__fish_incrowd_using_subcommand help; and not __fish_seen_subcommand_from plan compare law draw schema completions help" -f -a "completions" -d 'A completion script for a shell'
complete -c incrowd -n "__fish_incrowd_using_subcommand help; and not __fish_seen_subcommand_from plan compare law draw schema completions help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
