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

complete -c incrowd -n "__fish_incrowd_needs_command" -l format -d 'How results are printed: text for people, json for machines (stable fields, a version number), html as a page for browsers (plan, check, compare, law, diff, verify, policies, policy check and ledger show)' -r -f -a "text\t'For people'
json\t'For machines'
html\t'For people with a browser: one file that needs nothing else'"
complete -c incrowd -n "__fish_incrowd_needs_command" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c incrowd -n "__fish_incrowd_needs_command" -s V -l version -d 'Print version'
complete -c incrowd -n "__fish_incrowd_needs_command" -f -a "plan" -d 'What will be promised, to whom, at what cost, with what error. Reads no data.'
complete -c incrowd -n "__fish_incrowd_needs_command" -f -a "check" -d 'What a release would read, count and lose, for the steward\'s eyes: INTERNAL. Charges nothing.'
complete -c incrowd -n "__fish_incrowd_needs_command" -f -a "compare" -d 'Every mechanism that meets the same promise: error and silence by group size.'
complete -c incrowd -n "__fish_incrowd_needs_command" -f -a "law" -d 'The exact law of what a bin of a given size may publish.'
complete -c incrowd -n "__fish_incrowd_needs_command" -f -a "draw" -d 'Draws from the real sampler for a hypothetical count, for outside auditors.'
complete -c incrowd -n "__fish_incrowd_needs_command" -f -a "release" -d 'Charge, count, protect, deliver: publishes a folder with counts, a certificate and a report.'
complete -c incrowd -n "__fish_incrowd_needs_command" -f -a "recover" -d 'Gives a release its name that was paid for and written to the end, and then interrupted.'
complete -c incrowd -n "__fish_incrowd_needs_command" -f -a "render" -d 'Makes a new folder from a delivered one, with other totals, estimates, roundings or files; free.'
complete -c incrowd -n "__fish_incrowd_needs_command" -f -a "diff" -d 'Says what changed between two delivered folders of one table, and what may be noise; free.'
complete -c incrowd -n "__fish_incrowd_needs_command" -f -a "verify" -d 'Recomputes the certificate of a delivered folder and checks its tables against it. Reads no data.'
complete -c incrowd -n "__fish_incrowd_needs_command" -f -a "export" -d 'Writes a delivered folder in the form of others: an entry for the public registry of deployments.'
complete -c incrowd -n "__fish_incrowd_needs_command" -f -a "init" -d 'Writes a commented request from the columns of a data file.'
complete -c incrowd -n "__fish_incrowd_needs_command" -f -a "policies" -d 'Rules that publishers follow, by name, with what each promises here and to whom exactly.'
complete -c incrowd -n "__fish_incrowd_needs_command" -f -a "policy" -d 'The policy of this machine: what whoever releases on it cannot choose'
complete -c incrowd -n "__fish_incrowd_needs_command" -f -a "ledger" -d 'The account book: what was promised about each data set, and what is left'
complete -c incrowd -n "__fish_incrowd_needs_command" -f -a "example" -d 'Writes an example with made-up data into a folder, ready to be released; without a name, lists them.'
complete -c incrowd -n "__fish_incrowd_needs_command" -f -a "schema" -d 'The JSON Schema of requests, for editors, or of certificates; or every key of a request as a page to read'
complete -c incrowd -n "__fish_incrowd_needs_command" -f -a "man" -d 'Manual pages: the main one, or one for each command into a folder.'
complete -c incrowd -n "__fish_incrowd_needs_command" -f -a "completions" -d 'A completion script for a shell'
complete -c incrowd -n "__fish_incrowd_needs_command" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c incrowd -n "__fish_incrowd_using_subcommand plan" -l counts -d 'Group sizes to show, such as 1,5,20' -r
complete -c incrowd -n "__fish_incrowd_using_subcommand plan" -l want -d 'Accuracy first: "50: 5" asks what must change for groups of 50 to be within 5 on average' -r
complete -c incrowd -n "__fish_incrowd_using_subcommand plan" -l like -d 'Say what would be shown of bins of these sizes: an earlier delivered folder, or a public CSV file with a column `count` (or a single column of whole numbers). Sizes of the data itself are not protected' -r -F
complete -c incrowd -n "__fish_incrowd_using_subcommand plan" -l chart -d 'Write the chart of error by group size to this SVG file; an existing file is not overwritten' -r -F
complete -c incrowd -n "__fish_incrowd_using_subcommand plan" -l ledger -d 'The account book to look up the budget in, where it is there; nothing is written. Otherwise INCROWD_LEDGER, the request\'s own path, or a file in the user\'s data folder' -r -F
complete -c incrowd -n "__fish_incrowd_using_subcommand plan" -l save -d 'Save the plan for `release --plan`, so that what was reviewed is what runs: this request, on this source, charged to this ledger, to this folder. An existing file is not overwritten' -r -F
complete -c incrowd -n "__fish_incrowd_using_subcommand plan" -l sign -d 'Sign the saved plan with the private key in this file: a policy of the machine can require that' -r -F
complete -c incrowd -n "__fish_incrowd_using_subcommand plan" -l review -d 'Sign a plan that somebody else saved, if it is the plan of this request: its source, ledger and folder stay as they are, and are printed to be looked at' -r -F
complete -c incrowd -n "__fish_incrowd_using_subcommand plan" -l folder -d 'The folder that the saved plan is pinned to, instead of the request\'s own' -r -F
complete -c incrowd -n "__fish_incrowd_using_subcommand plan" -l format -d 'How results are printed: text for people, json for machines (stable fields, a version number), html as a page for browsers (plan, check, compare, law, diff, verify, policies, policy check and ledger show)' -r -f -a "text\t'For people'
json\t'For machines'
html\t'For people with a browser: one file that needs nothing else'"
complete -c incrowd -n "__fish_incrowd_using_subcommand plan" -l no-chart -d 'Leave the chart out of the text'
complete -c incrowd -n "__fish_incrowd_using_subcommand plan" -l details -d 'Show what is folded away: the mechanism, its theorem, exact deltas and the names of notions'
complete -c incrowd -n "__fish_incrowd_using_subcommand plan" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c incrowd -n "__fish_incrowd_using_subcommand check" -l most-lost -d 'The share of the people that may be lost: who is in the data, not left out by `where`, and counted in no bin' -r
complete -c incrowd -n "__fish_incrowd_using_subcommand check" -l most-cut -d 'The share of the bins that people are in that `bins-per-person` may leave out: whoever is in more bins than that is counted in some of them' -r
complete -c incrowd -n "__fish_incrowd_using_subcommand check" -l output -d 'Write the page to this file and not to the screen; an existing file is not overwritten. It is as internal' -r -F
complete -c incrowd -n "__fish_incrowd_using_subcommand check" -l fix -d 'Write the request with the keys that are advised to this file, comments kept; an existing file is not overwritten. Where the data does not tell which of two ways is right, nothing is written of either. The new request is looked at again, until nothing is left to advise, and it is said whether it goes well' -r -F
complete -c incrowd -n "__fish_incrowd_using_subcommand check" -l memory -d 'How much memory grouping may take before it spills to disk, such as 2GB' -r
complete -c incrowd -n "__fish_incrowd_using_subcommand check" -l threads -d 'How many threads read' -r
complete -c incrowd -n "__fish_incrowd_using_subcommand check" -l spill -d 'Where to spill, instead of the system\'s folder for temporary files. Spilled files hold true data until they are deleted' -r -F
complete -c incrowd -n "__fish_incrowd_using_subcommand check" -l format -d 'How results are printed: text for people, json for machines (stable fields, a version number), html as a page for browsers (plan, check, compare, law, diff, verify, policies, policy check and ledger show)' -r -f -a "text\t'For people'
json\t'For machines'
html\t'For people with a browser: one file that needs nothing else'"
complete -c incrowd -n "__fish_incrowd_using_subcommand check" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c incrowd -n "__fish_incrowd_using_subcommand compare" -l counts -d 'Group sizes to compare, such as 1,5,20' -r
complete -c incrowd -n "__fish_incrowd_using_subcommand compare" -l chart -d 'Write the chart of error by group size to this SVG file; an existing file is not overwritten' -r -F
complete -c incrowd -n "__fish_incrowd_using_subcommand compare" -l format -d 'How results are printed: text for people, json for machines (stable fields, a version number), html as a page for browsers (plan, check, compare, law, diff, verify, policies, policy check and ledger show)' -r -f -a "text\t'For people'
json\t'For machines'
html\t'For people with a browser: one file that needs nothing else'"
complete -c incrowd -n "__fish_incrowd_using_subcommand compare" -l no-chart -d 'Leave the chart out of the text'
complete -c incrowd -n "__fish_incrowd_using_subcommand compare" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c incrowd -n "__fish_incrowd_using_subcommand law" -l count -d 'How many people are in the bin' -r
complete -c incrowd -n "__fish_incrowd_using_subcommand law" -l format -d 'How results are printed: text for people, json for machines (stable fields, a version number), html as a page for browsers (plan, check, compare, law, diff, verify, policies, policy check and ledger show)' -r -f -a "text\t'For people'
json\t'For machines'
html\t'For people with a browser: one file that needs nothing else'"
complete -c incrowd -n "__fish_incrowd_using_subcommand law" -l all -d 'Print every outcome; text otherwise leaves the rarest out and says how much they weigh'
complete -c incrowd -n "__fish_incrowd_using_subcommand law" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c incrowd -n "__fish_incrowd_using_subcommand draw" -l count -d 'How many people are in the hypothetical bin' -r
complete -c incrowd -n "__fish_incrowd_using_subcommand draw" -l times -d 'How often to draw' -r
complete -c incrowd -n "__fish_incrowd_using_subcommand draw" -l test-seed -d 'Repeatable draws, for tests: only with `[data] synthetic = true`. Nothing drawn so is private' -r
complete -c incrowd -n "__fish_incrowd_using_subcommand draw" -l format -d 'How results are printed: text for people, json for machines (stable fields, a version number), html as a page for browsers (plan, check, compare, law, diff, verify, policies, policy check and ledger show)' -r -f -a "text\t'For people'
json\t'For machines'
html\t'For people with a browser: one file that needs nothing else'"
complete -c incrowd -n "__fish_incrowd_using_subcommand draw" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c incrowd -n "__fish_incrowd_using_subcommand release" -l folder -d 'The folder that is made, instead of the request\'s own' -r -F
complete -c incrowd -n "__fish_incrowd_using_subcommand release" -l ledger -d 'The account book. Otherwise INCROWD_LEDGER, the request\'s own path, or a file in the user\'s data folder' -r -F
complete -c incrowd -n "__fish_incrowd_using_subcommand release" -l plan -d 'Run only what was saved by `plan --save`: the same request and plan, source, ledger and folder' -r -F
complete -c incrowd -n "__fish_incrowd_using_subcommand release" -l like -d 'Sizes to expect, as for `plan --like`: by them it is known beforehand whether anything will be shown' -r -F
complete -c incrowd -n "__fish_incrowd_using_subcommand release" -l by -d 'Who you are, for the ledger\'s entries; INCROWD_BY says it, too. The system\'s user and machine are there anyway' -r
complete -c incrowd -n "__fish_incrowd_using_subcommand release" -l note -d 'Why, for the ledger\'s entries. Never a value of the data: whoever reads the ledger reads it' -r
complete -c incrowd -n "__fish_incrowd_using_subcommand release" -l memory -d 'How much memory grouping and sorting may take before they spill to disk, such as 2GB' -r
complete -c incrowd -n "__fish_incrowd_using_subcommand release" -l threads -d 'How many threads count' -r
complete -c incrowd -n "__fish_incrowd_using_subcommand release" -l spill -d 'Where to spill, instead of the system\'s folder for temporary files. Spilled files hold true data until they are deleted' -r -F
complete -c incrowd -n "__fish_incrowd_using_subcommand release" -l test-seed -d 'Repeatable draws, for tests: only with `[data] synthetic = true`, charged to a ledger in memory. Nothing is private' -r
complete -c incrowd -n "__fish_incrowd_using_subcommand release" -l format -d 'How results are printed: text for people, json for machines (stable fields, a version number), html as a page for browsers (plan, check, compare, law, diff, verify, policies, policy check and ledger show)' -r -f -a "text\t'For people'
json\t'For machines'
html\t'For people with a browser: one file that needs nothing else'"
complete -c incrowd -n "__fish_incrowd_using_subcommand release" -l replace -d 'Replace an existing folder. A request that was delivered before needs --again, too'
complete -c incrowd -n "__fish_incrowd_using_subcommand release" -l again -d 'Release a request that was delivered before, or interrupted, once more: draws anew, and is charged again'
complete -c incrowd -n "__fish_incrowd_using_subcommand release" -l if-new -d 'For jobs that run again and again: end with exit code 0 and charge nothing if the request was delivered before, and with 1 if it was charged before and not delivered, which is tried again without this option alone'
complete -c incrowd -n "__fish_incrowd_using_subcommand release" -l open -d 'Open the account that pays, without a limit, also in a book that has others. Without it an account that nobody opened is refused there: its name may be misspelt'
complete -c incrowd -n "__fish_incrowd_using_subcommand release" -l yes -d 'Go on without a question. Only a terminal is ever asked, once, before the charge: what is spent, of what, and whether hardly anything is expected to be shown'
complete -c incrowd -n "__fish_incrowd_using_subcommand release" -l rehearse -d 'A dry run on made-up counts of the declared shape: touches no data and no budget'
complete -c incrowd -n "__fish_incrowd_using_subcommand release" -s q -l quiet -d 'Say nothing but warnings and errors'
complete -c incrowd -n "__fish_incrowd_using_subcommand release" -s v -l verbose -d 'Say how long each stage took; never anything about the data'
complete -c incrowd -n "__fish_incrowd_using_subcommand release" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c incrowd -n "__fish_incrowd_using_subcommand recover" -l to -d 'Another name for it, where its own is in use' -r -F
complete -c incrowd -n "__fish_incrowd_using_subcommand recover" -l ledger -d 'The account book that was charged: a file, or postgres://user@host/database' -r -F
complete -c incrowd -n "__fish_incrowd_using_subcommand recover" -l format -d 'How results are printed: text for people, json for machines (stable fields, a version number), html as a page for browsers (plan, check, compare, law, diff, verify, policies, policy check and ledger show)' -r -f -a "text\t'For people'
json\t'For machines'
html\t'For people with a browser: one file that needs nothing else'"
complete -c incrowd -n "__fish_incrowd_using_subcommand recover" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c incrowd -n "__fish_incrowd_using_subcommand render" -l to -d 'The folder that is made; nothing of that name may be there' -r -F
complete -c incrowd -n "__fish_incrowd_using_subcommand render" -l margins -d 'Totals by each bin, by each of the named ones, or none; given several times, by each of these sets of bins: --margins region --margins region,age. The total over all is always there, and an empty set stands for it' -r
complete -c incrowd -n "__fish_incrowd_using_subcommand render" -l statistics -d 'Mean and quantiles of a bin with bands of a number, such as salary, by the sets of bins of the totals and over all; or none' -r
complete -c incrowd -n "__fish_incrowd_using_subcommand render" -l quantiles -d 'Which quantiles, such as 0.1,0.5,0.9; 0.5 is the median. The quartiles without it' -r
complete -c incrowd -n "__fish_incrowd_using_subcommand render" -l estimate -d 'A column with a best guess: clamped, median, unbiased, or none' -r
complete -c incrowd -n "__fish_incrowd_using_subcommand render" -l prior -d 'The counts that are thought possible, for the median: LOW,HIGH, or none' -r
complete -c incrowd -n "__fish_incrowd_using_subcommand render" -l rounding -d 'A column with what is shown, rounded to multiples of this; 1 leaves it out' -r
complete -c incrowd -n "__fish_incrowd_using_subcommand render" -l small -d 'A column `shown` in which published values below N are "fewer than N"; none leaves it out' -r
complete -c incrowd -n "__fish_incrowd_using_subcommand render" -l quality -d 'A column that says how far each value can be relied on: A, E or F' -r -f -a "true\t''
false\t''"
complete -c incrowd -n "__fish_incrowd_using_subcommand render" -l formats -d 'The files that the tables are written to: csv, parquet, arrow, xlsx' -r
complete -c incrowd -n "__fish_incrowd_using_subcommand render" -l csv-bom -d 'Begin CSV files with a byte order mark, by which Excel knows that they are UTF-8' -r -f -a "true\t''
false\t''"
complete -c incrowd -n "__fish_incrowd_using_subcommand render" -l missing -d 'What stands for a missing value in CSV files and workbooks' -r
complete -c incrowd -n "__fish_incrowd_using_subcommand render" -l report -d 'A file with `[report]`, such as the request: title, publisher, date, contact, text, names and labels of the report. Without it the report says what that of FOLDER says' -r -F
complete -c incrowd -n "__fish_incrowd_using_subcommand render" -l most-work -d 'The most cells of laws to sum while the folder is verified. The default takes about a minute' -r
complete -c incrowd -n "__fish_incrowd_using_subcommand render" -l format -d 'How results are printed: text for people, json for machines (stable fields, a version number), html as a page for browsers (plan, check, compare, law, diff, verify, policies, policy check and ledger show)' -r -f -a "text\t'For people'
json\t'For machines'
html\t'For people with a browser: one file that needs nothing else'"
complete -c incrowd -n "__fish_incrowd_using_subcommand render" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c incrowd -n "__fish_incrowd_using_subcommand diff" -l periods -d 'Of series: compare one period of OLD with one of NEW, as their tables write them. Else each with itself' -r
complete -c incrowd -n "__fish_incrowd_using_subcommand diff" -l to -d 'Write to this file and not to the screen: a page if it ends with .html, a table if with .csv, an object if with .json, else text. An existing file is not overwritten' -r -F
complete -c incrowd -n "__fish_incrowd_using_subcommand diff" -l most-work -d 'The most cells of laws to sum for each folder, and for both together. The default takes about a minute' -r
complete -c incrowd -n "__fish_incrowd_using_subcommand diff" -l format -d 'How results are printed: text for people, json for machines (stable fields, a version number), html as a page for browsers (plan, check, compare, law, diff, verify, policies, policy check and ledger show)' -r -f -a "text\t'For people'
json\t'For machines'
html\t'For people with a browser: one file that needs nothing else'"
complete -c incrowd -n "__fish_incrowd_using_subcommand diff" -l only-changed -d 'Leave out cells whose change may be noise, and those that one of the two does not show'
complete -c incrowd -n "__fish_incrowd_using_subcommand diff" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c incrowd -n "__fish_incrowd_using_subcommand verify" -l parent -d 'The folder that it was made from by `incrowd render`: made once more, it must be the same byte by byte' -r -F
complete -c incrowd -n "__fish_incrowd_using_subcommand verify" -l most-work -d 'The most cells of laws to sum, before accounts are named as not recomputed. The default takes about a minute' -r
complete -c incrowd -n "__fish_incrowd_using_subcommand verify" -l format -d 'How results are printed: text for people, json for machines (stable fields, a version number), html as a page for browsers (plan, check, compare, law, diff, verify, policies, policy check and ledger show)' -r -f -a "text\t'For people'
json\t'For machines'
html\t'For people with a browser: one file that needs nothing else'"
complete -c incrowd -n "__fish_incrowd_using_subcommand verify" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c incrowd -n "__fish_incrowd_using_subcommand export" -l as -d 'In which form' -r -f -a "registry\t'The Differential Privacy Deployments Registry (opendp.org), YAML'"
complete -c incrowd -n "__fish_incrowd_using_subcommand export" -s o -l output -d 'Write to this file instead of the screen; an existing file is not overwritten' -r -F
complete -c incrowd -n "__fish_incrowd_using_subcommand export" -l name -d 'What the data product is called' -r
complete -c incrowd -n "__fish_incrowd_using_subcommand export" -l curator -d 'Who publishes it; may be given more than once' -r
complete -c incrowd -n "__fish_incrowd_using_subcommand export" -l use -d 'What it is for' -r
complete -c incrowd -n "__fish_incrowd_using_subcommand export" -l region -d 'Which region it describes, or whose laws apply' -r
complete -c incrowd -n "__fish_incrowd_using_subcommand export" -l date -d 'When it was published' -r
complete -c incrowd -n "__fish_incrowd_using_subcommand export" -l sector -d 'The domain it describes' -r -f -a "technology\t'Technology'
healthcare\t'Health care'
education\t'Education'
government\t'Government'
energy\t'Energy'
finance\t'Finance'"
complete -c incrowd -n "__fish_incrowd_using_subcommand export" -l author -d 'Who fills in the entry; may be given more than once' -r
complete -c incrowd -n "__fish_incrowd_using_subcommand export" -l format -d 'How results are printed: text for people, json for machines (stable fields, a version number), html as a page for browsers (plan, check, compare, law, diff, verify, policies, policy check and ledger show)' -r -f -a "text\t'For people'
json\t'For machines'
html\t'For people with a browser: one file that needs nothing else'"
complete -c incrowd -n "__fish_incrowd_using_subcommand export" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c incrowd -n "__fish_incrowd_using_subcommand init" -l by -d 'Count by these columns' -r
complete -c incrowd -n "__fish_incrowd_using_subcommand init" -l person -d 'The column that says whose row it is; `rows` if each row is another person. Found by its name unless said' -r
complete -c incrowd -n "__fish_incrowd_using_subcommand init" -l policy -d 'What is promised, by the name of a rule: `incrowd policies` lists them. fewer-than-11 unless something is said' -r
complete -c incrowd -n "__fish_incrowd_using_subcommand init" -l protect-below -d 'Protect groups of fewer than so many people better: from even odds nobody who knows how many others are there becomes surer than 55 % about one of them, and than 75 % about anybody else' -r
complete -c incrowd -n "__fish_incrowd_using_subcommand init" -s o -l output -d 'Write the request to this file instead of the screen; an existing file is not overwritten' -r -F
complete -c incrowd -n "__fish_incrowd_using_subcommand init" -l skip-lines -d 'So many lines, or rows of a sheet, stand before the names; guessed unless said' -r
complete -c incrowd -n "__fish_incrowd_using_subcommand init" -l data-format -d 'What the file is, where its name does not say it: csv, tsv, json, parquet, arrow, xlsx, ods or sqlite' -r
complete -c incrowd -n "__fish_incrowd_using_subcommand init" -l sheet -d 'The sheet of a workbook, if it is not the first' -r
complete -c incrowd -n "__fish_incrowd_using_subcommand init" -l table -d 'The table of a database' -r
complete -c incrowd -n "__fish_incrowd_using_subcommand init" -l format -d 'How results are printed: text for people, json for machines (stable fields, a version number), html as a page for browsers (plan, check, compare, law, diff, verify, policies, policy check and ledger show)' -r -f -a "text\t'For people'
json\t'For machines'
html\t'For people with a browser: one file that needs nothing else'"
complete -c incrowd -n "__fish_incrowd_using_subcommand init" -l interactive -d 'Ask step by step, on a terminal'
complete -c incrowd -n "__fish_incrowd_using_subcommand init" -l names-on-top -d 'The first line holds the names of columns, although they look like values'
complete -c incrowd -n "__fish_incrowd_using_subcommand init" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c incrowd -n "__fish_incrowd_using_subcommand policies" -l format -d 'How results are printed: text for people, json for machines (stable fields, a version number), html as a page for browsers (plan, check, compare, law, diff, verify, policies, policy check and ledger show)' -r -f -a "text\t'For people'
json\t'For machines'
html\t'For people with a browser: one file that needs nothing else'"
complete -c incrowd -n "__fish_incrowd_using_subcommand policies" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c incrowd -n "__fish_incrowd_using_subcommand policy; and not __fish_seen_subcommand_from check help" -l format -d 'How results are printed: text for people, json for machines (stable fields, a version number), html as a page for browsers (plan, check, compare, law, diff, verify, policies, policy check and ledger show)' -r -f -a "text\t'For people'
json\t'For machines'
html\t'For people with a browser: one file that needs nothing else'"
complete -c incrowd -n "__fish_incrowd_using_subcommand policy; and not __fish_seen_subcommand_from check help" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c incrowd -n "__fish_incrowd_using_subcommand policy; and not __fish_seen_subcommand_from check help" -f -a "check" -d 'Says what the policy of this machine asks for, and whether a request may be released by it. Reads no data.'
complete -c incrowd -n "__fish_incrowd_using_subcommand policy; and not __fish_seen_subcommand_from check help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c incrowd -n "__fish_incrowd_using_subcommand policy; and __fish_seen_subcommand_from check" -l ledger -d 'The account book that would be named' -r -F
complete -c incrowd -n "__fish_incrowd_using_subcommand policy; and __fish_seen_subcommand_from check" -l format -d 'How results are printed: text for people, json for machines (stable fields, a version number), html as a page for browsers (plan, check, compare, law, diff, verify, policies, policy check and ledger show)' -r -f -a "text\t'For people'
json\t'For machines'
html\t'For people with a browser: one file that needs nothing else'"
complete -c incrowd -n "__fish_incrowd_using_subcommand policy; and __fish_seen_subcommand_from check" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c incrowd -n "__fish_incrowd_using_subcommand policy; and __fish_seen_subcommand_from help" -f -a "check" -d 'Says what the policy of this machine asks for, and whether a request may be released by it. Reads no data.'
complete -c incrowd -n "__fish_incrowd_using_subcommand policy; and __fish_seen_subcommand_from help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c incrowd -n "__fish_incrowd_using_subcommand ledger; and not __fish_seen_subcommand_from open policy show history verify export report exposure key setup set-aside sign help" -l format -d 'How results are printed: text for people, json for machines (stable fields, a version number), html as a page for browsers (plan, check, compare, law, diff, verify, policies, policy check and ledger show)' -r -f -a "text\t'For people'
json\t'For machines'
html\t'For people with a browser: one file that needs nothing else'"
complete -c incrowd -n "__fish_incrowd_using_subcommand ledger; and not __fish_seen_subcommand_from open policy show history verify export report exposure key setup set-aside sign help" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c incrowd -n "__fish_incrowd_using_subcommand ledger; and not __fish_seen_subcommand_from open policy show history verify export report exposure key setup set-aside sign help" -f -a "open" -d 'Opens an account for a data set, with or without a budget.'
complete -c incrowd -n "__fish_incrowd_using_subcommand ledger; and not __fish_seen_subcommand_from open policy show history verify export report exposure key setup set-aside sign help" -f -a "policy" -d 'Changes terms of an account: what is left out stays as it is. What was spent stays spent.'
complete -c incrowd -n "__fish_incrowd_using_subcommand ledger; and not __fish_seen_subcommand_from open policy show history verify export report exposure key setup set-aside sign help" -f -a "show" -d 'What each account has promised in all, in numbers and in odds by group size, and what is left'
complete -c incrowd -n "__fish_incrowd_using_subcommand ledger; and not __fish_seen_subcommand_from open policy show history verify export report exposure key setup set-aside sign help" -f -a "history" -d 'Every entry, oldest first'
complete -c incrowd -n "__fish_incrowd_using_subcommand ledger; and not __fish_seen_subcommand_from open policy show history verify export report exposure key setup set-aside sign help" -f -a "verify" -d 'Verifies the whole book: every entry, every link of the chain, every account.'
complete -c incrowd -n "__fish_incrowd_using_subcommand ledger; and not __fish_seen_subcommand_from open policy show history verify export report exposure key setup set-aside sign help" -f -a "export" -d 'Writes the whole book, or one account, for other programs.'
complete -c incrowd -n "__fish_incrowd_using_subcommand ledger; and not __fish_seen_subcommand_from open policy show history verify export report exposure key setup set-aside sign help" -f -a "report" -d 'Writes a page for people: what each account has promised, to whom, and what is left.'
complete -c incrowd -n "__fish_incrowd_using_subcommand ledger; and not __fish_seen_subcommand_from open policy show history verify export report exposure key setup set-aside sign help" -f -a "exposure" -d 'How much the people in the data have been exposed so far, for the steward\'s eyes only.'
complete -c incrowd -n "__fish_incrowd_using_subcommand ledger; and not __fish_seen_subcommand_from open policy show history verify export report exposure key setup set-aside sign help" -f -a "key" -d 'Makes, shows and changes the keys without whose signature an account\'s terms cannot be loosened.'
complete -c incrowd -n "__fish_incrowd_using_subcommand ledger; and not __fish_seen_subcommand_from open policy show history verify export report exposure key setup set-aside sign help" -f -a "setup" -d 'Sets a book in a PostgreSQL database up for a team, and says what that did.'
complete -c incrowd -n "__fish_incrowd_using_subcommand ledger; and not __fish_seen_subcommand_from open policy show history verify export report exposure key setup set-aside sign help" -f -a "set-aside" -d 'Sets entries aside that no reader can read, with an entry that says so: for the owner of a book in a database.'
complete -c incrowd -n "__fish_incrowd_using_subcommand ledger; and not __fish_seen_subcommand_from open policy show history verify export report exposure key setup set-aside sign help" -f -a "sign" -d 'Shows in words what a change of terms is, and signs it: no ledger is needed for that.'
complete -c incrowd -n "__fish_incrowd_using_subcommand ledger; and not __fish_seen_subcommand_from open policy show history verify export report exposure key setup set-aside sign help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c incrowd -n "__fish_incrowd_using_subcommand ledger; and __fish_seen_subcommand_from open" -l epsilon -d 'The most epsilon that all releases together may cost; without it there is no limit' -r
complete -c incrowd -n "__fish_incrowd_using_subcommand ledger; and __fish_seen_subcommand_from open" -l delta -d 'The most delta; with --epsilon and without this, 0' -r
complete -c incrowd -n "__fish_incrowd_using_subcommand ledger; and __fish_seen_subcommand_from open" -l allow -d 'Kinds of promise that may be made, such as simple-outlier-dp,staircase' -r
complete -c incrowd -n "__fish_incrowd_using_subcommand ledger; and __fish_seen_subcommand_from open" -l min-group -d 'The smallest group that a promise may name' -r
complete -c incrowd -n "__fish_incrowd_using_subcommand ledger; and __fish_seen_subcommand_from open" -l max-epsilon-per-release -d 'The most epsilon that one release may cost' -r
complete -c incrowd -n "__fish_incrowd_using_subcommand ledger; and __fish_seen_subcommand_from open" -l people -d 'Whether the same people may be in several snapshots. Say disjoint-per-period only if you know that nobody is in two' -r -f -a "overlapping\t'They may be: everything adds up'
disjoint-per-period\t'Nobody is in two periods: each period is an account of its own'"
complete -c incrowd -n "__fish_incrowd_using_subcommand ledger; and __fish_seen_subcommand_from open" -l refresh -d 'Give each period the whole budget: only with --people disjoint-per-period. Snapshots name periods, such as 2026-11' -r -f -a "day\t'Such as 2026-11-16'
week\t'Such as 2026-W47'
month\t'Such as 2026-11'
year\t'Such as 2026'"
complete -c incrowd -n "__fish_incrowd_using_subcommand ledger; and __fish_seen_subcommand_from open" -l splits -d 'Columns of which you know that nobody has two values in one snapshot, such as region. Releases of one part each, by `[data.split] column = "region"  part = "north"`, then cost the largest of the parts and not their sum; so do runs of a series by such a column' -r
complete -c incrowd -n "__fish_incrowd_using_subcommand ledger; and __fish_seen_subcommand_from open" -l key -d 'The file with the public key that has to sign looser terms from then on: see `incrowd ledger key new`' -r -F
complete -c incrowd -n "__fish_incrowd_using_subcommand ledger; and __fish_seen_subcommand_from open" -l by -d 'Who you are, for the ledger\'s entries; INCROWD_BY says it, too. The system\'s user and machine are there anyway' -r
complete -c incrowd -n "__fish_incrowd_using_subcommand ledger; and __fish_seen_subcommand_from open" -l note -d 'Why, for the ledger\'s entries. Never a value of the data: whoever reads the ledger reads it' -r
complete -c incrowd -n "__fish_incrowd_using_subcommand ledger; and __fish_seen_subcommand_from open" -l ledger -d 'The account book: a file, or postgres://user@host/database' -r -F
complete -c incrowd -n "__fish_incrowd_using_subcommand ledger; and __fish_seen_subcommand_from open" -l format -d 'How results are printed: text for people, json for machines (stable fields, a version number), html as a page for browsers (plan, check, compare, law, diff, verify, policies, policy check and ledger show)' -r -f -a "text\t'For people'
json\t'For machines'
html\t'For people with a browser: one file that needs nothing else'"
complete -c incrowd -n "__fish_incrowd_using_subcommand ledger; and __fish_seen_subcommand_from open" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c incrowd -n "__fish_incrowd_using_subcommand ledger; and __fish_seen_subcommand_from policy" -l epsilon -d 'The most epsilon that all releases together may cost' -r
complete -c incrowd -n "__fish_incrowd_using_subcommand ledger; and __fish_seen_subcommand_from policy" -l delta -d 'The most delta' -r
complete -c incrowd -n "__fish_incrowd_using_subcommand ledger; and __fish_seen_subcommand_from policy" -l allow -d 'The only kinds of promise that may be made, such as simple-outlier-dp,staircase' -r
complete -c incrowd -n "__fish_incrowd_using_subcommand ledger; and __fish_seen_subcommand_from policy" -l min-group -d 'The smallest group that a promise may name' -r
complete -c incrowd -n "__fish_incrowd_using_subcommand ledger; and __fish_seen_subcommand_from policy" -l max-epsilon-per-release -d 'The most epsilon that one release may cost' -r
complete -c incrowd -n "__fish_incrowd_using_subcommand ledger; and __fish_seen_subcommand_from policy" -l raise-key -d 'The file with the public key that has to sign looser terms from then on: see `incrowd ledger key new`' -r -F
complete -c incrowd -n "__fish_incrowd_using_subcommand ledger; and __fish_seen_subcommand_from policy" -l clear -d 'Terms that shall no longer hold' -r -f -a "epsilon\t'The epsilon budget'
delta\t'The delta budget; beside an epsilon budget, 0 holds then'
allow\t'The kinds that may be promised'
min-group\t'The smallest group'
max-epsilon-per-release\t'The most for one release'
raise-key\t'The key'"
complete -c incrowd -n "__fish_incrowd_using_subcommand ledger; and __fish_seen_subcommand_from policy" -l key -d 'The file with the private key of the account, if it has one and the terms become looser' -r -F
complete -c incrowd -n "__fish_incrowd_using_subcommand ledger; and __fish_seen_subcommand_from policy" -l print-request -d 'Change nothing, and write down what has to be signed, for `incrowd ledger sign` on the machine with the key' -r -F
complete -c incrowd -n "__fish_incrowd_using_subcommand ledger; and __fish_seen_subcommand_from policy" -l signature -d 'What was signed there: the terms in it become those of the account' -r -F
complete -c incrowd -n "__fish_incrowd_using_subcommand ledger; and __fish_seen_subcommand_from policy" -l by -d 'Who you are, for the ledger\'s entries; INCROWD_BY says it, too. The system\'s user and machine are there anyway' -r
complete -c incrowd -n "__fish_incrowd_using_subcommand ledger; and __fish_seen_subcommand_from policy" -l note -d 'Why, for the ledger\'s entries. Never a value of the data: whoever reads the ledger reads it' -r
complete -c incrowd -n "__fish_incrowd_using_subcommand ledger; and __fish_seen_subcommand_from policy" -l ledger -d 'The account book: a file, or postgres://user@host/database' -r -F
complete -c incrowd -n "__fish_incrowd_using_subcommand ledger; and __fish_seen_subcommand_from policy" -l format -d 'How results are printed: text for people, json for machines (stable fields, a version number), html as a page for browsers (plan, check, compare, law, diff, verify, policies, policy check and ledger show)' -r -f -a "text\t'For people'
json\t'For machines'
html\t'For people with a browser: one file that needs nothing else'"
complete -c incrowd -n "__fish_incrowd_using_subcommand ledger; and __fish_seen_subcommand_from policy" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c incrowd -n "__fish_incrowd_using_subcommand ledger; and __fish_seen_subcommand_from show" -l ledger -d 'The account book: a file, or postgres://user@host/database' -r -F
complete -c incrowd -n "__fish_incrowd_using_subcommand ledger; and __fish_seen_subcommand_from show" -l format -d 'How results are printed: text for people, json for machines (stable fields, a version number), html as a page for browsers (plan, check, compare, law, diff, verify, policies, policy check and ledger show)' -r -f -a "text\t'For people'
json\t'For machines'
html\t'For people with a browser: one file that needs nothing else'"
complete -c incrowd -n "__fish_incrowd_using_subcommand ledger; and __fish_seen_subcommand_from show" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c incrowd -n "__fish_incrowd_using_subcommand ledger; and __fish_seen_subcommand_from history" -l ledger -d 'The account book: a file, or postgres://user@host/database' -r -F
complete -c incrowd -n "__fish_incrowd_using_subcommand ledger; and __fish_seen_subcommand_from history" -l format -d 'How results are printed: text for people, json for machines (stable fields, a version number), html as a page for browsers (plan, check, compare, law, diff, verify, policies, policy check and ledger show)' -r -f -a "text\t'For people'
json\t'For machines'
html\t'For people with a browser: one file that needs nothing else'"
complete -c incrowd -n "__fish_incrowd_using_subcommand ledger; and __fish_seen_subcommand_from history" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c incrowd -n "__fish_incrowd_using_subcommand ledger; and __fish_seen_subcommand_from verify" -l against -d 'Delivered folders that must have been paid for and delivered by this book' -r -F
complete -c incrowd -n "__fish_incrowd_using_subcommand ledger; and __fish_seen_subcommand_from verify" -l head -d 'A hash that must be in the chain, as `ledger verify` printed it earlier' -r
complete -c incrowd -n "__fish_incrowd_using_subcommand ledger; and __fish_seen_subcommand_from verify" -l ledger -d 'The account book: a file, or postgres://user@host/database' -r -F
complete -c incrowd -n "__fish_incrowd_using_subcommand ledger; and __fish_seen_subcommand_from verify" -l format -d 'How results are printed: text for people, json for machines (stable fields, a version number), html as a page for browsers (plan, check, compare, law, diff, verify, policies, policy check and ledger show)' -r -f -a "text\t'For people'
json\t'For machines'
html\t'For people with a browser: one file that needs nothing else'"
complete -c incrowd -n "__fish_incrowd_using_subcommand ledger; and __fish_seen_subcommand_from verify" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c incrowd -n "__fish_incrowd_using_subcommand ledger; and __fish_seen_subcommand_from export" -l as -d 'The form: json has accounts, totals, entries and definitions; csv has the entries; xlsx is a workbook with entries and accounts, and needs --output' -r -f -a "json\t'One object with everything'
csv\t'One row for each entry'
xlsx\t'A workbook: a sheet of entries, and one of accounts'"
complete -c incrowd -n "__fish_incrowd_using_subcommand ledger; and __fish_seen_subcommand_from export" -s o -l output -d 'Write to this file instead of the screen; an existing file is not overwritten' -r -F
complete -c incrowd -n "__fish_incrowd_using_subcommand ledger; and __fish_seen_subcommand_from export" -l ledger -d 'The account book: a file, or postgres://user@host/database' -r -F
complete -c incrowd -n "__fish_incrowd_using_subcommand ledger; and __fish_seen_subcommand_from export" -l format -d 'How results are printed: text for people, json for machines (stable fields, a version number), html as a page for browsers (plan, check, compare, law, diff, verify, policies, policy check and ledger show)' -r -f -a "text\t'For people'
json\t'For machines'
html\t'For people with a browser: one file that needs nothing else'"
complete -c incrowd -n "__fish_incrowd_using_subcommand ledger; and __fish_seen_subcommand_from export" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c incrowd -n "__fish_incrowd_using_subcommand ledger; and __fish_seen_subcommand_from report" -s o -l output -d 'The page, or as FILE.txt the same as text; an existing file is not overwritten' -r -F
complete -c incrowd -n "__fish_incrowd_using_subcommand ledger; and __fish_seen_subcommand_from report" -l ledger -d 'The account book: a file, or postgres://user@host/database' -r -F
complete -c incrowd -n "__fish_incrowd_using_subcommand ledger; and __fish_seen_subcommand_from report" -l format -d 'How results are printed: text for people, json for machines (stable fields, a version number), html as a page for browsers (plan, check, compare, law, diff, verify, policies, policy check and ledger show)' -r -f -a "text\t'For people'
json\t'For machines'
html\t'For people with a browser: one file that needs nothing else'"
complete -c incrowd -n "__fish_incrowd_using_subcommand ledger; and __fish_seen_subcommand_from report" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c incrowd -n "__fish_incrowd_using_subcommand ledger; and __fish_seen_subcommand_from exposure" -l chart -d 'Write the chart to this SVG file as well; an existing file is not overwritten. It is as internal as the table' -r -F
complete -c incrowd -n "__fish_incrowd_using_subcommand ledger; and __fish_seen_subcommand_from exposure" -l ledger -d 'The account book: a file, or postgres://user@host/database' -r -F
complete -c incrowd -n "__fish_incrowd_using_subcommand ledger; and __fish_seen_subcommand_from exposure" -l format -d 'How results are printed: text for people, json for machines (stable fields, a version number), html as a page for browsers (plan, check, compare, law, diff, verify, policies, policy check and ledger show)' -r -f -a "text\t'For people'
json\t'For machines'
html\t'For people with a browser: one file that needs nothing else'"
complete -c incrowd -n "__fish_incrowd_using_subcommand ledger; and __fish_seen_subcommand_from exposure" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c incrowd -n "__fish_incrowd_using_subcommand ledger; and __fish_seen_subcommand_from key" -l format -d 'How results are printed: text for people, json for machines (stable fields, a version number), html as a page for browsers (plan, check, compare, law, diff, verify, policies, policy check and ledger show)' -r -f -a "text\t'For people'
json\t'For machines'
html\t'For people with a browser: one file that needs nothing else'"
complete -c incrowd -n "__fish_incrowd_using_subcommand ledger; and __fish_seen_subcommand_from key" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c incrowd -n "__fish_incrowd_using_subcommand ledger; and __fish_seen_subcommand_from key" -a "new" -d 'Makes a key: the private one in NAME.key, readable by you alone, and the public one in NAME.pub'
complete -c incrowd -n "__fish_incrowd_using_subcommand ledger; and __fish_seen_subcommand_from key" -a "show" -d 'Shows the public key in a file, or of the private key in it'
complete -c incrowd -n "__fish_incrowd_using_subcommand ledger; and __fish_seen_subcommand_from key" -a "change" -d 'Gives an account another key; one that it has already must sign that'
complete -c incrowd -n "__fish_incrowd_using_subcommand ledger; and __fish_seen_subcommand_from key" -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c incrowd -n "__fish_incrowd_using_subcommand ledger; and __fish_seen_subcommand_from setup" -l officer -d 'The role of those who open accounts and change their terms; made if it is not there' -r
complete -c incrowd -n "__fish_incrowd_using_subcommand ledger; and __fish_seen_subcommand_from setup" -l analyst -d 'The role of those who release; made if it is not there' -r
complete -c incrowd -n "__fish_incrowd_using_subcommand ledger; and __fish_seen_subcommand_from setup" -l format -d 'How results are printed: text for people, json for machines (stable fields, a version number), html as a page for browsers (plan, check, compare, law, diff, verify, policies, policy check and ledger show)' -r -f -a "text\t'For people'
json\t'For machines'
html\t'For people with a browser: one file that needs nothing else'"
complete -c incrowd -n "__fish_incrowd_using_subcommand ledger; and __fish_seen_subcommand_from setup" -l look -d 'Change nothing: only say how the book is set up, and who may do what'
complete -c incrowd -n "__fish_incrowd_using_subcommand ledger; and __fish_seen_subcommand_from setup" -l print -d 'Print the statements for a database without a book, for its administrator to run'
complete -c incrowd -n "__fish_incrowd_using_subcommand ledger; and __fish_seen_subcommand_from setup" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c incrowd -n "__fish_incrowd_using_subcommand ledger; and __fish_seen_subcommand_from set-aside" -l by -d 'Who you are, for the ledger\'s entries; INCROWD_BY says it, too' -r
complete -c incrowd -n "__fish_incrowd_using_subcommand ledger; and __fish_seen_subcommand_from set-aside" -l note -d 'Why, for the ledger\'s entries. Never a value of the data: whoever reads the ledger reads it' -r
complete -c incrowd -n "__fish_incrowd_using_subcommand ledger; and __fish_seen_subcommand_from set-aside" -l ledger -d 'The account book: postgres://owner@host/database' -r -F
complete -c incrowd -n "__fish_incrowd_using_subcommand ledger; and __fish_seen_subcommand_from set-aside" -l format -d 'How results are printed: text for people, json for machines (stable fields, a version number), html as a page for browsers (plan, check, compare, law, diff, verify, policies, policy check and ledger show)' -r -f -a "text\t'For people'
json\t'For machines'
html\t'For people with a browser: one file that needs nothing else'"
complete -c incrowd -n "__fish_incrowd_using_subcommand ledger; and __fish_seen_subcommand_from set-aside" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c incrowd -n "__fish_incrowd_using_subcommand ledger; and __fish_seen_subcommand_from sign" -l key -d 'The file with the private key; without it nothing is signed' -r -F
complete -c incrowd -n "__fish_incrowd_using_subcommand ledger; and __fish_seen_subcommand_from sign" -s o -l output -d 'Write the signature to this file; an existing file is not overwritten. Without it, beside the request' -r -F
complete -c incrowd -n "__fish_incrowd_using_subcommand ledger; and __fish_seen_subcommand_from sign" -l format -d 'How results are printed: text for people, json for machines (stable fields, a version number), html as a page for browsers (plan, check, compare, law, diff, verify, policies, policy check and ledger show)' -r -f -a "text\t'For people'
json\t'For machines'
html\t'For people with a browser: one file that needs nothing else'"
complete -c incrowd -n "__fish_incrowd_using_subcommand ledger; and __fish_seen_subcommand_from sign" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c incrowd -n "__fish_incrowd_using_subcommand ledger; and __fish_seen_subcommand_from help" -f -a "open" -d 'Opens an account for a data set, with or without a budget.'
complete -c incrowd -n "__fish_incrowd_using_subcommand ledger; and __fish_seen_subcommand_from help" -f -a "policy" -d 'Changes terms of an account: what is left out stays as it is. What was spent stays spent.'
complete -c incrowd -n "__fish_incrowd_using_subcommand ledger; and __fish_seen_subcommand_from help" -f -a "show" -d 'What each account has promised in all, in numbers and in odds by group size, and what is left'
complete -c incrowd -n "__fish_incrowd_using_subcommand ledger; and __fish_seen_subcommand_from help" -f -a "history" -d 'Every entry, oldest first'
complete -c incrowd -n "__fish_incrowd_using_subcommand ledger; and __fish_seen_subcommand_from help" -f -a "verify" -d 'Verifies the whole book: every entry, every link of the chain, every account.'
complete -c incrowd -n "__fish_incrowd_using_subcommand ledger; and __fish_seen_subcommand_from help" -f -a "export" -d 'Writes the whole book, or one account, for other programs.'
complete -c incrowd -n "__fish_incrowd_using_subcommand ledger; and __fish_seen_subcommand_from help" -f -a "report" -d 'Writes a page for people: what each account has promised, to whom, and what is left.'
complete -c incrowd -n "__fish_incrowd_using_subcommand ledger; and __fish_seen_subcommand_from help" -f -a "exposure" -d 'How much the people in the data have been exposed so far, for the steward\'s eyes only.'
complete -c incrowd -n "__fish_incrowd_using_subcommand ledger; and __fish_seen_subcommand_from help" -f -a "key" -d 'Makes, shows and changes the keys without whose signature an account\'s terms cannot be loosened.'
complete -c incrowd -n "__fish_incrowd_using_subcommand ledger; and __fish_seen_subcommand_from help" -f -a "setup" -d 'Sets a book in a PostgreSQL database up for a team, and says what that did.'
complete -c incrowd -n "__fish_incrowd_using_subcommand ledger; and __fish_seen_subcommand_from help" -f -a "set-aside" -d 'Sets entries aside that no reader can read, with an entry that says so: for the owner of a book in a database.'
complete -c incrowd -n "__fish_incrowd_using_subcommand ledger; and __fish_seen_subcommand_from help" -f -a "sign" -d 'Shows in words what a change of terms is, and signs it: no ledger is needed for that.'
complete -c incrowd -n "__fish_incrowd_using_subcommand ledger; and __fish_seen_subcommand_from help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c incrowd -n "__fish_incrowd_using_subcommand example" -l format -d 'How results are printed: text for people, json for machines (stable fields, a version number), html as a page for browsers (plan, check, compare, law, diff, verify, policies, policy check and ledger show)' -r -f -a "text\t'For people'
json\t'For machines'
html\t'For people with a browser: one file that needs nothing else'"
complete -c incrowd -n "__fish_incrowd_using_subcommand example" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c incrowd -n "__fish_incrowd_using_subcommand schema" -l format -d 'How results are printed: text for people, json for machines (stable fields, a version number), html as a page for browsers (plan, check, compare, law, diff, verify, policies, policy check and ledger show)' -r -f -a "text\t'For people'
json\t'For machines'
html\t'For people with a browser: one file that needs nothing else'"
complete -c incrowd -n "__fish_incrowd_using_subcommand schema" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c incrowd -n "__fish_incrowd_using_subcommand man" -l format -d 'How results are printed: text for people, json for machines (stable fields, a version number), html as a page for browsers (plan, check, compare, law, diff, verify, policies, policy check and ledger show)' -r -f -a "text\t'For people'
json\t'For machines'
html\t'For people with a browser: one file that needs nothing else'"
complete -c incrowd -n "__fish_incrowd_using_subcommand man" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c incrowd -n "__fish_incrowd_using_subcommand completions" -l format -d 'How results are printed: text for people, json for machines (stable fields, a version number), html as a page for browsers (plan, check, compare, law, diff, verify, policies, policy check and ledger show)' -r -f -a "text\t'For people'
json\t'For machines'
html\t'For people with a browser: one file that needs nothing else'"
complete -c incrowd -n "__fish_incrowd_using_subcommand completions" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c incrowd -n "__fish_incrowd_using_subcommand help; and not __fish_seen_subcommand_from plan check compare law draw release recover render diff verify export init policies policy ledger example schema man completions help" -f -a "plan" -d 'What will be promised, to whom, at what cost, with what error. Reads no data.'
complete -c incrowd -n "__fish_incrowd_using_subcommand help; and not __fish_seen_subcommand_from plan check compare law draw release recover render diff verify export init policies policy ledger example schema man completions help" -f -a "check" -d 'What a release would read, count and lose, for the steward\'s eyes: INTERNAL. Charges nothing.'
complete -c incrowd -n "__fish_incrowd_using_subcommand help; and not __fish_seen_subcommand_from plan check compare law draw release recover render diff verify export init policies policy ledger example schema man completions help" -f -a "compare" -d 'Every mechanism that meets the same promise: error and silence by group size.'
complete -c incrowd -n "__fish_incrowd_using_subcommand help; and not __fish_seen_subcommand_from plan check compare law draw release recover render diff verify export init policies policy ledger example schema man completions help" -f -a "law" -d 'The exact law of what a bin of a given size may publish.'
complete -c incrowd -n "__fish_incrowd_using_subcommand help; and not __fish_seen_subcommand_from plan check compare law draw release recover render diff verify export init policies policy ledger example schema man completions help" -f -a "draw" -d 'Draws from the real sampler for a hypothetical count, for outside auditors.'
complete -c incrowd -n "__fish_incrowd_using_subcommand help; and not __fish_seen_subcommand_from plan check compare law draw release recover render diff verify export init policies policy ledger example schema man completions help" -f -a "release" -d 'Charge, count, protect, deliver: publishes a folder with counts, a certificate and a report.'
complete -c incrowd -n "__fish_incrowd_using_subcommand help; and not __fish_seen_subcommand_from plan check compare law draw release recover render diff verify export init policies policy ledger example schema man completions help" -f -a "recover" -d 'Gives a release its name that was paid for and written to the end, and then interrupted.'
complete -c incrowd -n "__fish_incrowd_using_subcommand help; and not __fish_seen_subcommand_from plan check compare law draw release recover render diff verify export init policies policy ledger example schema man completions help" -f -a "render" -d 'Makes a new folder from a delivered one, with other totals, estimates, roundings or files; free.'
complete -c incrowd -n "__fish_incrowd_using_subcommand help; and not __fish_seen_subcommand_from plan check compare law draw release recover render diff verify export init policies policy ledger example schema man completions help" -f -a "diff" -d 'Says what changed between two delivered folders of one table, and what may be noise; free.'
complete -c incrowd -n "__fish_incrowd_using_subcommand help; and not __fish_seen_subcommand_from plan check compare law draw release recover render diff verify export init policies policy ledger example schema man completions help" -f -a "verify" -d 'Recomputes the certificate of a delivered folder and checks its tables against it. Reads no data.'
complete -c incrowd -n "__fish_incrowd_using_subcommand help; and not __fish_seen_subcommand_from plan check compare law draw release recover render diff verify export init policies policy ledger example schema man completions help" -f -a "export" -d 'Writes a delivered folder in the form of others: an entry for the public registry of deployments.'
complete -c incrowd -n "__fish_incrowd_using_subcommand help; and not __fish_seen_subcommand_from plan check compare law draw release recover render diff verify export init policies policy ledger example schema man completions help" -f -a "init" -d 'Writes a commented request from the columns of a data file.'
complete -c incrowd -n "__fish_incrowd_using_subcommand help; and not __fish_seen_subcommand_from plan check compare law draw release recover render diff verify export init policies policy ledger example schema man completions help" -f -a "policies" -d 'Rules that publishers follow, by name, with what each promises here and to whom exactly.'
complete -c incrowd -n "__fish_incrowd_using_subcommand help; and not __fish_seen_subcommand_from plan check compare law draw release recover render diff verify export init policies policy ledger example schema man completions help" -f -a "policy" -d 'The policy of this machine: what whoever releases on it cannot choose'
complete -c incrowd -n "__fish_incrowd_using_subcommand help; and not __fish_seen_subcommand_from plan check compare law draw release recover render diff verify export init policies policy ledger example schema man completions help" -f -a "ledger" -d 'The account book: what was promised about each data set, and what is left'
complete -c incrowd -n "__fish_incrowd_using_subcommand help; and not __fish_seen_subcommand_from plan check compare law draw release recover render diff verify export init policies policy ledger example schema man completions help" -f -a "example" -d 'Writes an example with made-up data into a folder, ready to be released; without a name, lists them.'
complete -c incrowd -n "__fish_incrowd_using_subcommand help; and not __fish_seen_subcommand_from plan check compare law draw release recover render diff verify export init policies policy ledger example schema man completions help" -f -a "schema" -d 'The JSON Schema of requests, for editors, or of certificates; or every key of a request as a page to read'
complete -c incrowd -n "__fish_incrowd_using_subcommand help; and not __fish_seen_subcommand_from plan check compare law draw release recover render diff verify export init policies policy ledger example schema man completions help" -f -a "man" -d 'Manual pages: the main one, or one for each command into a folder.'
complete -c incrowd -n "__fish_incrowd_using_subcommand help; and not __fish_seen_subcommand_from plan check compare law draw release recover render diff verify export init policies policy ledger example schema man completions help" -f -a "completions" -d 'A completion script for a shell'
complete -c incrowd -n "__fish_incrowd_using_subcommand help; and not __fish_seen_subcommand_from plan check compare law draw release recover render diff verify export init policies policy ledger example schema man completions help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c incrowd -n "__fish_incrowd_using_subcommand help; and __fish_seen_subcommand_from policy" -f -a "check" -d 'Says what the policy of this machine asks for, and whether a request may be released by it. Reads no data.'
complete -c incrowd -n "__fish_incrowd_using_subcommand help; and __fish_seen_subcommand_from ledger" -f -a "open" -d 'Opens an account for a data set, with or without a budget.'
complete -c incrowd -n "__fish_incrowd_using_subcommand help; and __fish_seen_subcommand_from ledger" -f -a "policy" -d 'Changes terms of an account: what is left out stays as it is. What was spent stays spent.'
complete -c incrowd -n "__fish_incrowd_using_subcommand help; and __fish_seen_subcommand_from ledger" -f -a "show" -d 'What each account has promised in all, in numbers and in odds by group size, and what is left'
complete -c incrowd -n "__fish_incrowd_using_subcommand help; and __fish_seen_subcommand_from ledger" -f -a "history" -d 'Every entry, oldest first'
complete -c incrowd -n "__fish_incrowd_using_subcommand help; and __fish_seen_subcommand_from ledger" -f -a "verify" -d 'Verifies the whole book: every entry, every link of the chain, every account.'
complete -c incrowd -n "__fish_incrowd_using_subcommand help; and __fish_seen_subcommand_from ledger" -f -a "export" -d 'Writes the whole book, or one account, for other programs.'
complete -c incrowd -n "__fish_incrowd_using_subcommand help; and __fish_seen_subcommand_from ledger" -f -a "report" -d 'Writes a page for people: what each account has promised, to whom, and what is left.'
complete -c incrowd -n "__fish_incrowd_using_subcommand help; and __fish_seen_subcommand_from ledger" -f -a "exposure" -d 'How much the people in the data have been exposed so far, for the steward\'s eyes only.'
complete -c incrowd -n "__fish_incrowd_using_subcommand help; and __fish_seen_subcommand_from ledger" -f -a "key" -d 'Makes, shows and changes the keys without whose signature an account\'s terms cannot be loosened.'
complete -c incrowd -n "__fish_incrowd_using_subcommand help; and __fish_seen_subcommand_from ledger" -f -a "setup" -d 'Sets a book in a PostgreSQL database up for a team, and says what that did.'
complete -c incrowd -n "__fish_incrowd_using_subcommand help; and __fish_seen_subcommand_from ledger" -f -a "set-aside" -d 'Sets entries aside that no reader can read, with an entry that says so: for the owner of a book in a database.'
complete -c incrowd -n "__fish_incrowd_using_subcommand help; and __fish_seen_subcommand_from ledger" -f -a "sign" -d 'Shows in words what a change of terms is, and signs it: no ledger is needed for that.'
