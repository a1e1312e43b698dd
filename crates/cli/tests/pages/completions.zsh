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
'--format=[How results are printed\: text for people, json for machines (stable fields, a version number), html as a page for browsers (plan, check, compare, law, diff, verify, policies, policy check and ledger show)]:FORMAT:((text\:"For people"
json\:"For machines"
html\:"For people with a browser\: one file that needs nothing else"))' \
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
'--like=[Say what would be shown of bins of these sizes\: an earlier delivered folder, or a public CSV file with a column \`count\` (or a single column of whole numbers). Sizes of the data itself are not protected]:COUNTS:_files' \
'--chart=[Write the chart of error by group size to this SVG file; an existing file is not overwritten]:FILE.svg:_files' \
'--ledger=[The account book to look up the budget in, where it is there; nothing is written. Otherwise INCROWD_LEDGER, the request'\''s own path, or a file in the user'\''s data folder]:FILE:_files' \
'--save=[Save the plan for \`release --plan\`, so that what was reviewed is what runs\: this request, on this source, charged to this ledger, to this folder. An existing file is not overwritten]:FILE.json:_files' \
'--sign=[Sign the saved plan with the private key in this file\: a policy of the machine can require that]:KEY:_files' \
'(--folder)--review=[Sign a plan that somebody else saved, if it is the plan of this request\: its source, ledger and folder stay as they are, and are printed to be looked at]:FILE.json:_files' \
'--folder=[The folder that the saved plan is pinned to, instead of the request'\''s own]:FOLDER:_files' \
'--format=[How results are printed\: text for people, json for machines (stable fields, a version number), html as a page for browsers (plan, check, compare, law, diff, verify, policies, policy check and ledger show)]:FORMAT:((text\:"For people"
json\:"For machines"
html\:"For people with a browser\: one file that needs nothing else"))' \
'--no-chart[Leave the chart out of the text]' \
'--details[Show what is folded away\: the mechanism, its theorem, exact deltas and the names of notions]' \
'-h[Print help (see more with '\''--help'\'')]' \
'--help[Print help (see more with '\''--help'\'')]' \
'*::requests -- Requests; `-` reads one from standard input:_files' \
&& ret=0
;;
(check)
_arguments "${_arguments_options[@]}" : \
'--most-lost=[The share of the people that may be lost\: who is in the data, not left out by \`where\`, and counted in no bin]:SHARE:_default' \
'--most-cut=[The share of the bins that people are in that \`bins-per-person\` may leave out\: whoever is in more bins than that is counted in some of them]:SHARE:_default' \
'--output=[Write the page to this file and not to the screen; an existing file is not overwritten. It is as internal]:FILE:_files' \
'--fix=[Write the request with the keys that are advised to this file, comments kept; an existing file is not overwritten. Where the data does not tell which of two ways is right, nothing is written of either. The new request is looked at again, until nothing is left to advise, and it is said whether it goes well]:NEW.toml:_files' \
'--memory=[How much memory grouping may take before it spills to disk, such as 2GB]:SIZE:_default' \
'--threads=[How many threads read]:N:_default' \
'--spill=[Where to spill, instead of the system'\''s folder for temporary files. Spilled files hold true data until they are deleted]:FOLDER:_files' \
'--format=[How results are printed\: text for people, json for machines (stable fields, a version number), html as a page for browsers (plan, check, compare, law, diff, verify, policies, policy check and ledger show)]:FORMAT:((text\:"For people"
json\:"For machines"
html\:"For people with a browser\: one file that needs nothing else"))' \
'-h[Print help (see more with '\''--help'\'')]' \
'--help[Print help (see more with '\''--help'\'')]' \
':request -- A request. Its paths are relative to its own folder:_files' \
&& ret=0
;;
(compare)
_arguments "${_arguments_options[@]}" : \
'*--counts=[Group sizes to compare, such as 1,5,20]:N,N,...:_default' \
'--chart=[Write the chart of error by group size to this SVG file; an existing file is not overwritten]:FILE.svg:_files' \
'--format=[How results are printed\: text for people, json for machines (stable fields, a version number), html as a page for browsers (plan, check, compare, law, diff, verify, policies, policy check and ledger show)]:FORMAT:((text\:"For people"
json\:"For machines"
html\:"For people with a browser\: one file that needs nothing else"))' \
'--no-chart[Leave the chart out of the text]' \
'-h[Print help (see more with '\''--help'\'')]' \
'--help[Print help (see more with '\''--help'\'')]' \
':request -- A request; `-` reads it from standard input:_files' \
&& ret=0
;;
(law)
_arguments "${_arguments_options[@]}" : \
'--count=[How many people are in the bin]:K:_default' \
'--format=[How results are printed\: text for people, json for machines (stable fields, a version number), html as a page for browsers (plan, check, compare, law, diff, verify, policies, policy check and ledger show)]:FORMAT:((text\:"For people"
json\:"For machines"
html\:"For people with a browser\: one file that needs nothing else"))' \
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
'--format=[How results are printed\: text for people, json for machines (stable fields, a version number), html as a page for browsers (plan, check, compare, law, diff, verify, policies, policy check and ledger show)]:FORMAT:((text\:"For people"
json\:"For machines"
html\:"For people with a browser\: one file that needs nothing else"))' \
'-h[Print help (see more with '\''--help'\'')]' \
'--help[Print help (see more with '\''--help'\'')]' \
':request -- A request; `-` reads it from standard input:_files' \
&& ret=0
;;
(release)
_arguments "${_arguments_options[@]}" : \
'--folder=[The folder that is made, instead of the request'\''s own]:FOLDER:_files' \
'--ledger=[The account book. Otherwise INCROWD_LEDGER, the request'\''s own path, or a file in the user'\''s data folder]:FILE:_files' \
'--plan=[Run only what was saved by \`plan --save\`\: the same request and plan, source, ledger and folder]:FILE.json:_files' \
'--like=[Sizes to expect, as for \`plan --like\`\: by them it is known beforehand whether anything will be shown]:COUNTS:_files' \
'--by=[Who you are, for the ledger'\''s entries; INCROWD_BY says it, too. The system'\''s user and machine are there anyway]:NAME:_default' \
'--note=[Why, for the ledger'\''s entries. Never a value of the data\: whoever reads the ledger reads it]:TEXT:_default' \
'--memory=[How much memory grouping and sorting may take before they spill to disk, such as 2GB]:SIZE:_default' \
'--threads=[How many threads count]:N:_default' \
'--spill=[Where to spill, instead of the system'\''s folder for temporary files. Spilled files hold true data until they are deleted]:FOLDER:_files' \
'--test-seed=[Repeatable draws, for tests\: only with \`\[data\] synthetic = true\`, charged to a ledger in memory. Nothing is private]:SEED:_default' \
'--format=[How results are printed\: text for people, json for machines (stable fields, a version number), html as a page for browsers (plan, check, compare, law, diff, verify, policies, policy check and ledger show)]:FORMAT:((text\:"For people"
json\:"For machines"
html\:"For people with a browser\: one file that needs nothing else"))' \
'--replace[Replace an existing folder. A request that was delivered before needs --again, too]' \
'(--if-new)--again[Release a request that was delivered before, or interrupted, once more\: draws anew, and is charged again]' \
'--if-new[For jobs that run again and again\: end with exit code 0 and charge nothing if the request was delivered before, and with 1 if it was charged before and not delivered, which is tried again without this option alone]' \
'--open[Open the account that pays, without a limit, also in a book that has others. Without it an account that nobody opened is refused there\: its name may be misspelt]' \
'--yes[Go on without a question. Only a terminal is ever asked, once, before the charge\: what is spent, of what, and whether hardly anything is expected to be shown]' \
'--rehearse[A dry run on made-up counts of the declared shape\: touches no data and no budget]' \
'-q[Say nothing but warnings and errors]' \
'--quiet[Say nothing but warnings and errors]' \
'-v[Say how long each stage took; never anything about the data]' \
'--verbose[Say how long each stage took; never anything about the data]' \
'-h[Print help (see more with '\''--help'\'')]' \
'--help[Print help (see more with '\''--help'\'')]' \
':request -- A request. Its paths are relative to its own folder:_files' \
&& ret=0
;;
(recover)
_arguments "${_arguments_options[@]}" : \
'--to=[Another name for it, where its own is in use]:FOLDER:_files' \
'--ledger=[The account book that was charged\: a file, or postgres\://user@host/database]:LEDGER:_files' \
'--format=[How results are printed\: text for people, json for machines (stable fields, a version number), html as a page for browsers (plan, check, compare, law, diff, verify, policies, policy check and ledger show)]:FORMAT:((text\:"For people"
json\:"For machines"
html\:"For people with a browser\: one file that needs nothing else"))' \
'-h[Print help (see more with '\''--help'\'')]' \
'--help[Print help (see more with '\''--help'\'')]' \
'::folder -- The folder that was to be made, or the folder that holds it:_files' \
&& ret=0
;;
(render)
_arguments "${_arguments_options[@]}" : \
'--to=[The folder that is made; nothing of that name may be there]:NEW:_files' \
'*--margins=[Totals by each bin, by each of the named ones, or none; given several times, by each of these sets of bins\: --margins region --margins region,age. The total over all is always there, and an empty set stands for it]:all|none|BIN,BIN,...:_default' \
'--statistics=[Mean and quantiles of a bin with bands of a number, such as salary, by the sets of bins of the totals and over all; or none]:BIN|none:_default' \
'*--quantiles=[Which quantiles, such as 0.1,0.5,0.9; 0.5 is the median. The quartiles without it]:SHARE,SHARE,...:_default' \
'--estimate=[A column with a best guess\: clamped, median, unbiased, or none]:KIND:_default' \
'--prior=[The counts that are thought possible, for the median\: LOW,HIGH, or none]:LOW,HIGH:_default' \
'--rounding=[A column with what is shown, rounded to multiples of this; 1 leaves it out]:N:_default' \
'--small=[A column \`shown\` in which published values below N are "fewer than N"; none leaves it out]:N|"fewer than N"|none:_default' \
'--quality=[A column that says how far each value can be relied on\: A, E or F]::true|false:(true false)' \
'*--formats=[The files that the tables are written to\: csv, parquet, arrow, xlsx]:FORMAT,FORMAT,...:_default' \
'--csv-bom=[Begin CSV files with a byte order mark, by which Excel knows that they are UTF-8]::true|false:(true false)' \
'--missing=[What stands for a missing value in CSV files and workbooks]:NAME:_default' \
'--report=[A file with \`\[report\]\`, such as the request\: title, publisher, date, contact, text, names and labels of the report. Without it the report says what that of FOLDER says]:FILE.toml:_files' \
'--most-work=[The most cells of laws to sum while the folder is verified. The default takes about a minute]:CELLS:_default' \
'--format=[How results are printed\: text for people, json for machines (stable fields, a version number), html as a page for browsers (plan, check, compare, law, diff, verify, policies, policy check and ledger show)]:FORMAT:((text\:"For people"
json\:"For machines"
html\:"For people with a browser\: one file that needs nothing else"))' \
'-h[Print help (see more with '\''--help'\'')]' \
'--help[Print help (see more with '\''--help'\'')]' \
':folder -- A delivered folder:_files' \
&& ret=0
;;
(diff)
_arguments "${_arguments_options[@]}" : \
'--periods=[Of series\: compare one period of OLD with one of NEW, as their tables write them. Else each with itself]:OLD,NEW:_default' \
'--to=[Write to this file and not to the screen\: a page if it ends with .html, a table if with .csv, an object if with .json, else text. An existing file is not overwritten]:FILE:_files' \
'--most-work=[The most cells of laws to sum for each folder, and for both together. The default takes about a minute]:CELLS:_default' \
'--format=[How results are printed\: text for people, json for machines (stable fields, a version number), html as a page for browsers (plan, check, compare, law, diff, verify, policies, policy check and ledger show)]:FORMAT:((text\:"For people"
json\:"For machines"
html\:"For people with a browser\: one file that needs nothing else"))' \
'--only-changed[Leave out cells whose change may be noise, and those that one of the two does not show]' \
'-h[Print help (see more with '\''--help'\'')]' \
'--help[Print help (see more with '\''--help'\'')]' \
':old -- The earlier folder, delivered by `incrowd release` or made by `incrowd render`:_files' \
':new -- The later folder:_files' \
&& ret=0
;;
(verify)
_arguments "${_arguments_options[@]}" : \
'--parent=[The folder that it was made from by \`incrowd render\`\: made once more, it must be the same byte by byte]:FOLDER:_files' \
'--most-work=[The most cells of laws to sum, before accounts are named as not recomputed. The default takes about a minute]:CELLS:_default' \
'--format=[How results are printed\: text for people, json for machines (stable fields, a version number), html as a page for browsers (plan, check, compare, law, diff, verify, policies, policy check and ledger show)]:FORMAT:((text\:"For people"
json\:"For machines"
html\:"For people with a browser\: one file that needs nothing else"))' \
'-h[Print help (see more with '\''--help'\'')]' \
'--help[Print help (see more with '\''--help'\'')]' \
':folder -- A delivered folder:_files' \
&& ret=0
;;
(export)
_arguments "${_arguments_options[@]}" : \
'--as=[In which form]:FORM:((registry\:"The Differential Privacy Deployments Registry (opendp.org), YAML"))' \
'-o+[Write to this file instead of the screen; an existing file is not overwritten]:FILE.yaml:_files' \
'--output=[Write to this file instead of the screen; an existing file is not overwritten]:FILE.yaml:_files' \
'--name=[What the data product is called]:TEXT:_default' \
'*--curator=[Who publishes it; may be given more than once]:NAME:_default' \
'--use=[What it is for]:TEXT:_default' \
'--region=[Which region it describes, or whose laws apply]:TEXT:_default' \
'--date=[When it was published]:YYYY-MM-DD:_default' \
'--sector=[The domain it describes]:SECTOR:((technology\:"Technology"
healthcare\:"Health care"
education\:"Education"
government\:"Government"
energy\:"Energy"
finance\:"Finance"))' \
'*--author=[Who fills in the entry; may be given more than once]:NAME:_default' \
'--format=[How results are printed\: text for people, json for machines (stable fields, a version number), html as a page for browsers (plan, check, compare, law, diff, verify, policies, policy check and ledger show)]:FORMAT:((text\:"For people"
json\:"For machines"
html\:"For people with a browser\: one file that needs nothing else"))' \
'-h[Print help (see more with '\''--help'\'')]' \
'--help[Print help (see more with '\''--help'\'')]' \
':folder -- A delivered folder:_files' \
&& ret=0
;;
(init)
_arguments "${_arguments_options[@]}" : \
'*--by=[Count by these columns]:COLUMN,...:_default' \
'--person=[The column that says whose row it is; \`rows\` if each row is another person. Found by its name unless said]:COLUMN:_default' \
'(--protect-below)--policy=[What is promised, by the name of a rule\: \`incrowd policies\` lists them. fewer-than-11 unless something is said]:NAME:_default' \
'--protect-below=[Protect groups of fewer than so many people better\: from even odds nobody who knows how many others are there becomes surer than 55 % about one of them, and than 75 % about anybody else]:N:_default' \
'-o+[Write the request to this file instead of the screen; an existing file is not overwritten]:FILE.toml:_files' \
'--output=[Write the request to this file instead of the screen; an existing file is not overwritten]:FILE.toml:_files' \
'--skip-lines=[So many lines, or rows of a sheet, stand before the names; guessed unless said]:NUMBER:_default' \
'--data-format=[What the file is, where its name does not say it\: csv, tsv, json, parquet, arrow, xlsx, ods or sqlite]:NAME:_default' \
'--sheet=[The sheet of a workbook, if it is not the first]:NAME:_default' \
'--table=[The table of a database]:NAME:_default' \
'--format=[How results are printed\: text for people, json for machines (stable fields, a version number), html as a page for browsers (plan, check, compare, law, diff, verify, policies, policy check and ledger show)]:FORMAT:((text\:"For people"
json\:"For machines"
html\:"For people with a browser\: one file that needs nothing else"))' \
'(--by --person --policy --protect-below)--interactive[Ask step by step, on a terminal]' \
'--names-on-top[The first line holds the names of columns, although they look like values]' \
'-h[Print help (see more with '\''--help'\'')]' \
'--help[Print help (see more with '\''--help'\'')]' \
':data -- A data file, a folder of data files, or a pattern; `-` looks at the beginning of standard input:_default' \
&& ret=0
;;
(policies)
_arguments "${_arguments_options[@]}" : \
'--format=[How results are printed\: text for people, json for machines (stable fields, a version number), html as a page for browsers (plan, check, compare, law, diff, verify, policies, policy check and ledger show)]:FORMAT:((text\:"For people"
json\:"For machines"
html\:"For people with a browser\: one file that needs nothing else"))' \
'-h[Print help (see more with '\''--help'\'')]' \
'--help[Print help (see more with '\''--help'\'')]' \
'::name -- Which one; without it, they are listed:_default' \
&& ret=0
;;
(policy)
_arguments "${_arguments_options[@]}" : \
'--format=[How results are printed\: text for people, json for machines (stable fields, a version number), html as a page for browsers (plan, check, compare, law, diff, verify, policies, policy check and ledger show)]:FORMAT:((text\:"For people"
json\:"For machines"
html\:"For people with a browser\: one file that needs nothing else"))' \
'-h[Print help (see more with '\''--help'\'')]' \
'--help[Print help (see more with '\''--help'\'')]' \
":: :_incrowd__subcmd__policy_commands" \
"*::: :->policy" \
&& ret=0

    case $state in
    (policy)
        words=($line[1] "${words[@]}")
        (( CURRENT += 1 ))
        curcontext="${curcontext%:*:*}:incrowd-policy-command-$line[1]:"
        case $line[1] in
            (check)
_arguments "${_arguments_options[@]}" : \
'--ledger=[The account book that would be named]:LEDGER:_files' \
'--format=[How results are printed\: text for people, json for machines (stable fields, a version number), html as a page for browsers (plan, check, compare, law, diff, verify, policies, policy check and ledger show)]:FORMAT:((text\:"For people"
json\:"For machines"
html\:"For people with a browser\: one file that needs nothing else"))' \
'-h[Print help (see more with '\''--help'\'')]' \
'--help[Print help (see more with '\''--help'\'')]' \
'::request -- A request, or - for standard input:_files' \
&& ret=0
;;
(help)
_arguments "${_arguments_options[@]}" : \
":: :_incrowd__subcmd__policy__subcmd__help_commands" \
"*::: :->help" \
&& ret=0

    case $state in
    (help)
        words=($line[1] "${words[@]}")
        (( CURRENT += 1 ))
        curcontext="${curcontext%:*:*}:incrowd-policy-help-command-$line[1]:"
        case $line[1] in
            (check)
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
;;
(ledger)
_arguments "${_arguments_options[@]}" : \
'--format=[How results are printed\: text for people, json for machines (stable fields, a version number), html as a page for browsers (plan, check, compare, law, diff, verify, policies, policy check and ledger show)]:FORMAT:((text\:"For people"
json\:"For machines"
html\:"For people with a browser\: one file that needs nothing else"))' \
'-h[Print help (see more with '\''--help'\'')]' \
'--help[Print help (see more with '\''--help'\'')]' \
":: :_incrowd__subcmd__ledger_commands" \
"*::: :->ledger" \
&& ret=0

    case $state in
    (ledger)
        words=($line[1] "${words[@]}")
        (( CURRENT += 1 ))
        curcontext="${curcontext%:*:*}:incrowd-ledger-command-$line[1]:"
        case $line[1] in
            (open)
_arguments "${_arguments_options[@]}" : \
'--epsilon=[The most epsilon that all releases together may cost; without it there is no limit]:E:_default' \
'--delta=[The most delta; with --epsilon and without this, 0]:D:_default' \
'*--allow=[Kinds of promise that may be made, such as simple-outlier-dp,staircase]:KIND,...:_default' \
'--min-group=[The smallest group that a promise may name]:K:_default' \
'--max-epsilon-per-release=[The most epsilon that one release may cost]:E:_default' \
'--people=[Whether the same people may be in several snapshots. Say disjoint-per-period only if you know that nobody is in two]:PEOPLE:((overlapping\:"They may be\: everything adds up"
disjoint-per-period\:"Nobody is in two periods\: each period is an account of its own"))' \
'--refresh=[Give each period the whole budget\: only with --people disjoint-per-period. Snapshots name periods, such as 2026-11]:PERIOD:((day\:"Such as 2026-11-16"
week\:"Such as 2026-W47"
month\:"Such as 2026-11"
year\:"Such as 2026"))' \
'*--splits=[Columns of which you know that nobody has two values in one snapshot, such as region. Releases of one part each, by \`\[data.split\] column = "region"  part = "north"\`, then cost the largest of the parts and not their sum; so do runs of a series by such a column]:COLUMN,...:_default' \
'--key=[The file with the public key that has to sign looser terms from then on\: see \`incrowd ledger key new\`]:FILE.pub:_files' \
'--by=[Who you are, for the ledger'\''s entries; INCROWD_BY says it, too. The system'\''s user and machine are there anyway]:NAME:_default' \
'--note=[Why, for the ledger'\''s entries. Never a value of the data\: whoever reads the ledger reads it]:TEXT:_default' \
'--ledger=[The account book\: a file, or postgres\://user@host/database]:LEDGER:_files' \
'--format=[How results are printed\: text for people, json for machines (stable fields, a version number), html as a page for browsers (plan, check, compare, law, diff, verify, policies, policy check and ledger show)]:FORMAT:((text\:"For people"
json\:"For machines"
html\:"For people with a browser\: one file that needs nothing else"))' \
'-h[Print help (see more with '\''--help'\'')]' \
'--help[Print help (see more with '\''--help'\'')]' \
':name -- The data set\: the people whose budget it is:_default' \
&& ret=0
;;
(policy)
_arguments "${_arguments_options[@]}" : \
'--epsilon=[The most epsilon that all releases together may cost]:E:_default' \
'--delta=[The most delta]:D:_default' \
'*--allow=[The only kinds of promise that may be made, such as simple-outlier-dp,staircase]:KIND,...:_default' \
'--min-group=[The smallest group that a promise may name]:K:_default' \
'--max-epsilon-per-release=[The most epsilon that one release may cost]:E:_default' \
'--raise-key=[The file with the public key that has to sign looser terms from then on\: see \`incrowd ledger key new\`]:FILE.pub:_files' \
'*--clear=[Terms that shall no longer hold]:TERM,...:((epsilon\:"The epsilon budget"
delta\:"The delta budget; beside an epsilon budget, 0 holds then"
allow\:"The kinds that may be promised"
min-group\:"The smallest group"
max-epsilon-per-release\:"The most for one release"
raise-key\:"The key"))' \
'--key=[The file with the private key of the account, if it has one and the terms become looser]:FILE:_files' \
'(--key)--print-request=[Change nothing, and write down what has to be signed, for \`incrowd ledger sign\` on the machine with the key]:FILE:_files' \
'(--epsilon --delta --allow --min-group --max-epsilon-per-release --raise-key --clear --key --print-request)--signature=[What was signed there\: the terms in it become those of the account]:FILE:_files' \
'--by=[Who you are, for the ledger'\''s entries; INCROWD_BY says it, too. The system'\''s user and machine are there anyway]:NAME:_default' \
'--note=[Why, for the ledger'\''s entries. Never a value of the data\: whoever reads the ledger reads it]:TEXT:_default' \
'--ledger=[The account book\: a file, or postgres\://user@host/database]:LEDGER:_files' \
'--format=[How results are printed\: text for people, json for machines (stable fields, a version number), html as a page for browsers (plan, check, compare, law, diff, verify, policies, policy check and ledger show)]:FORMAT:((text\:"For people"
json\:"For machines"
html\:"For people with a browser\: one file that needs nothing else"))' \
'-h[Print help (see more with '\''--help'\'')]' \
'--help[Print help (see more with '\''--help'\'')]' \
':name -- The data set\: the people whose budget it is:_default' \
&& ret=0
;;
(show)
_arguments "${_arguments_options[@]}" : \
'--ledger=[The account book\: a file, or postgres\://user@host/database]:LEDGER:_files' \
'--format=[How results are printed\: text for people, json for machines (stable fields, a version number), html as a page for browsers (plan, check, compare, law, diff, verify, policies, policy check and ledger show)]:FORMAT:((text\:"For people"
json\:"For machines"
html\:"For people with a browser\: one file that needs nothing else"))' \
'-h[Print help (see more with '\''--help'\'')]' \
'--help[Print help (see more with '\''--help'\'')]' \
'::name -- One data set; without it, all:_default' \
&& ret=0
;;
(history)
_arguments "${_arguments_options[@]}" : \
'--ledger=[The account book\: a file, or postgres\://user@host/database]:LEDGER:_files' \
'--format=[How results are printed\: text for people, json for machines (stable fields, a version number), html as a page for browsers (plan, check, compare, law, diff, verify, policies, policy check and ledger show)]:FORMAT:((text\:"For people"
json\:"For machines"
html\:"For people with a browser\: one file that needs nothing else"))' \
'-h[Print help (see more with '\''--help'\'')]' \
'--help[Print help (see more with '\''--help'\'')]' \
'::name -- One data set; without it, all:_default' \
&& ret=0
;;
(verify)
_arguments "${_arguments_options[@]}" : \
'*--against=[Delivered folders that must have been paid for and delivered by this book]:FOLDER:_files' \
'*--head=[A hash that must be in the chain, as \`ledger verify\` printed it earlier]:HASH:_default' \
'--ledger=[The account book\: a file, or postgres\://user@host/database]:LEDGER:_files' \
'--format=[How results are printed\: text for people, json for machines (stable fields, a version number), html as a page for browsers (plan, check, compare, law, diff, verify, policies, policy check and ledger show)]:FORMAT:((text\:"For people"
json\:"For machines"
html\:"For people with a browser\: one file that needs nothing else"))' \
'-h[Print help (see more with '\''--help'\'')]' \
'--help[Print help (see more with '\''--help'\'')]' \
&& ret=0
;;
(export)
_arguments "${_arguments_options[@]}" : \
'--as=[The form\: json has accounts, totals, entries and definitions; csv has the entries; xlsx is a workbook with entries and accounts, and needs --output]:FORM:((json\:"One object with everything"
csv\:"One row for each entry"
xlsx\:"A workbook\: a sheet of entries, and one of accounts"))' \
'-o+[Write to this file instead of the screen; an existing file is not overwritten]:FILE:_files' \
'--output=[Write to this file instead of the screen; an existing file is not overwritten]:FILE:_files' \
'--ledger=[The account book\: a file, or postgres\://user@host/database]:LEDGER:_files' \
'--format=[How results are printed\: text for people, json for machines (stable fields, a version number), html as a page for browsers (plan, check, compare, law, diff, verify, policies, policy check and ledger show)]:FORMAT:((text\:"For people"
json\:"For machines"
html\:"For people with a browser\: one file that needs nothing else"))' \
'-h[Print help (see more with '\''--help'\'')]' \
'--help[Print help (see more with '\''--help'\'')]' \
'::name -- One data set; without it, all:_default' \
&& ret=0
;;
(report)
_arguments "${_arguments_options[@]}" : \
'-o+[The page, or as FILE.txt the same as text; an existing file is not overwritten]:FILE.html:_files' \
'--output=[The page, or as FILE.txt the same as text; an existing file is not overwritten]:FILE.html:_files' \
'--ledger=[The account book\: a file, or postgres\://user@host/database]:LEDGER:_files' \
'--format=[How results are printed\: text for people, json for machines (stable fields, a version number), html as a page for browsers (plan, check, compare, law, diff, verify, policies, policy check and ledger show)]:FORMAT:((text\:"For people"
json\:"For machines"
html\:"For people with a browser\: one file that needs nothing else"))' \
'-h[Print help (see more with '\''--help'\'')]' \
'--help[Print help (see more with '\''--help'\'')]' \
'::name -- One data set; without it, all:_default' \
&& ret=0
;;
(exposure)
_arguments "${_arguments_options[@]}" : \
'--chart=[Write the chart to this SVG file as well; an existing file is not overwritten. It is as internal as the table]:FILE.svg:_files' \
'--ledger=[The account book\: a file, or postgres\://user@host/database]:LEDGER:_files' \
'--format=[How results are printed\: text for people, json for machines (stable fields, a version number), html as a page for browsers (plan, check, compare, law, diff, verify, policies, policy check and ledger show)]:FORMAT:((text\:"For people"
json\:"For machines"
html\:"For people with a browser\: one file that needs nothing else"))' \
'-h[Print help (see more with '\''--help'\'')]' \
'--help[Print help (see more with '\''--help'\'')]' \
'*::requests -- Requests that were released before, of one account and on the same data:_files' \
&& ret=0
;;
(key)
_arguments "${_arguments_options[@]}" : \
'--format=[How results are printed\: text for people, json for machines (stable fields, a version number), html as a page for browsers (plan, check, compare, law, diff, verify, policies, policy check and ledger show)]:FORMAT:((text\:"For people"
json\:"For machines"
html\:"For people with a browser\: one file that needs nothing else"))' \
'-h[Print help (see more with '\''--help'\'')]' \
'--help[Print help (see more with '\''--help'\'')]' \
'::file -- Without a word before it\: the file that the private key is made in, with the public one beside it:_files' \
":: :_incrowd__subcmd__ledger__subcmd__key_commands" \
"*::: :->key" \
&& ret=0

    case $state in
    (key)
        words=($line[2] "${words[@]}")
        (( CURRENT += 1 ))
        curcontext="${curcontext%:*:*}:incrowd-ledger-key-command-$line[2]:"
        case $line[2] in
            (new)
_arguments "${_arguments_options[@]}" : \
'--format=[How results are printed\: text for people, json for machines (stable fields, a version number), html as a page for browsers (plan, check, compare, law, diff, verify, policies, policy check and ledger show)]:FORMAT:((text\:"For people"
json\:"For machines"
html\:"For people with a browser\: one file that needs nothing else"))' \
'-h[Print help (see more with '\''--help'\'')]' \
'--help[Print help (see more with '\''--help'\'')]' \
':name -- What the files are called; existing files are not overwritten:_files' \
&& ret=0
;;
(show)
_arguments "${_arguments_options[@]}" : \
'--format=[How results are printed\: text for people, json for machines (stable fields, a version number), html as a page for browsers (plan, check, compare, law, diff, verify, policies, policy check and ledger show)]:FORMAT:((text\:"For people"
json\:"For machines"
html\:"For people with a browser\: one file that needs nothing else"))' \
'-h[Print help (see more with '\''--help'\'')]' \
'--help[Print help (see more with '\''--help'\'')]' \
':file -- The file:_files' \
&& ret=0
;;
(change)
_arguments "${_arguments_options[@]}" : \
'--to=[The file with the public key that it gets]:FILE.pub:_files' \
'--key=[The file with the private key that it has]:FILE:_files' \
'(--key)--print-request=[Change nothing, and write down what has to be signed, for \`incrowd ledger sign\` on the machine with the key]:FILE:_files' \
'--by=[Who you are, for the ledger'\''s entries; INCROWD_BY says it, too. The system'\''s user and machine are there anyway]:NAME:_default' \
'--note=[Why, for the ledger'\''s entries. Never a value of the data\: whoever reads the ledger reads it]:TEXT:_default' \
'--ledger=[The account book\: a file, or postgres\://user@host/database]:LEDGER:_files' \
'--format=[How results are printed\: text for people, json for machines (stable fields, a version number), html as a page for browsers (plan, check, compare, law, diff, verify, policies, policy check and ledger show)]:FORMAT:((text\:"For people"
json\:"For machines"
html\:"For people with a browser\: one file that needs nothing else"))' \
'-h[Print help (see more with '\''--help'\'')]' \
'--help[Print help (see more with '\''--help'\'')]' \
':name -- The data set\: the people whose budget it is:_default' \
&& ret=0
;;
(help)
_arguments "${_arguments_options[@]}" : \
":: :_incrowd__subcmd__ledger__subcmd__key__subcmd__help_commands" \
"*::: :->help" \
&& ret=0

    case $state in
    (help)
        words=($line[1] "${words[@]}")
        (( CURRENT += 1 ))
        curcontext="${curcontext%:*:*}:incrowd-ledger-key-help-command-$line[1]:"
        case $line[1] in
            (new)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
(show)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
(change)
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
;;
(setup)
_arguments "${_arguments_options[@]}" : \
'--officer=[The role of those who open accounts and change their terms; made if it is not there]:ROLE:_default' \
'--analyst=[The role of those who release; made if it is not there]:ROLE:_default' \
'--format=[How results are printed\: text for people, json for machines (stable fields, a version number), html as a page for browsers (plan, check, compare, law, diff, verify, policies, policy check and ledger show)]:FORMAT:((text\:"For people"
json\:"For machines"
html\:"For people with a browser\: one file that needs nothing else"))' \
'(--print)--look[Change nothing\: only say how the book is set up, and who may do what]' \
'()--print[Print the statements for a database without a book, for its administrator to run]' \
'-h[Print help (see more with '\''--help'\'')]' \
'--help[Print help (see more with '\''--help'\'')]' \
'::address -- The database, and the user who is to own the book\: postgres\://owner@host/database:_default' \
&& ret=0
;;
(set-aside)
_arguments "${_arguments_options[@]}" : \
'--by=[Who you are, for the ledger'\''s entries; INCROWD_BY says it, too]:NAME:_default' \
'--note=[Why, for the ledger'\''s entries. Never a value of the data\: whoever reads the ledger reads it]:TEXT:_default' \
'--ledger=[The account book\: postgres\://owner@host/database]:LEDGER:_files' \
'--format=[How results are printed\: text for people, json for machines (stable fields, a version number), html as a page for browsers (plan, check, compare, law, diff, verify, policies, policy check and ledger show)]:FORMAT:((text\:"For people"
json\:"For machines"
html\:"For people with a browser\: one file that needs nothing else"))' \
'-h[Print help (see more with '\''--help'\'')]' \
'--help[Print help (see more with '\''--help'\'')]' \
&& ret=0
;;
(sign)
_arguments "${_arguments_options[@]}" : \
'--key=[The file with the private key; without it nothing is signed]:FILE:_files' \
'-o+[Write the signature to this file; an existing file is not overwritten. Without it, beside the request]:FILE:_files' \
'--output=[Write the signature to this file; an existing file is not overwritten. Without it, beside the request]:FILE:_files' \
'--format=[How results are printed\: text for people, json for machines (stable fields, a version number), html as a page for browsers (plan, check, compare, law, diff, verify, policies, policy check and ledger show)]:FORMAT:((text\:"For people"
json\:"For machines"
html\:"For people with a browser\: one file that needs nothing else"))' \
'-h[Print help (see more with '\''--help'\'')]' \
'--help[Print help (see more with '\''--help'\'')]' \
':request -- What `incrowd ledger policy --print-request` wrote:_files' \
&& ret=0
;;
(help)
_arguments "${_arguments_options[@]}" : \
":: :_incrowd__subcmd__ledger__subcmd__help_commands" \
"*::: :->help" \
&& ret=0

    case $state in
    (help)
        words=($line[1] "${words[@]}")
        (( CURRENT += 1 ))
        curcontext="${curcontext%:*:*}:incrowd-ledger-help-command-$line[1]:"
        case $line[1] in
            (open)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
(policy)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
(show)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
(history)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
(verify)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
(export)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
(report)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
(exposure)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
(key)
_arguments "${_arguments_options[@]}" : \
":: :_incrowd__subcmd__ledger__subcmd__help__subcmd__key_commands" \
"*::: :->key" \
&& ret=0

    case $state in
    (key)
        words=($line[1] "${words[@]}")
        (( CURRENT += 1 ))
        curcontext="${curcontext%:*:*}:incrowd-ledger-help-key-command-$line[1]:"
        case $line[1] in
            (new)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
(show)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
(change)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
        esac
    ;;
esac
;;
(setup)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
(set-aside)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
(sign)
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
;;
(example)
_arguments "${_arguments_options[@]}" : \
'--format=[How results are printed\: text for people, json for machines (stable fields, a version number), html as a page for browsers (plan, check, compare, law, diff, verify, policies, policy check and ledger show)]:FORMAT:((text\:"For people"
json\:"For machines"
html\:"For people with a browser\: one file that needs nothing else"))' \
'-h[Print help (see more with '\''--help'\'')]' \
'--help[Print help (see more with '\''--help'\'')]' \
'::name -- Which one; without it, they are listed:((salaries\:"Employees by department and salary band\: a hundred managers share one band"
diagnoses\:"Patients by diagnosis and region\: stricter the smaller a group is"
keywords\:"Readers by keyword and month\: the keywords are found in the data"
series\:"Children by name, year after year\: each run goes on where the last one ended"
top\:"The articles that most customers bought, with counts"
rows\:"A row for each employee, coarse enough to be shared by twenty"
points\:"Accidents on a map\: points that are moved by noise as wide as their cells"
baskets\:"Articles that are bought together\: every two items of a customer"
sampled\:"People by region and illness, of a secret sample of them"))' \
'::folder -- The folder that is made:_files' \
&& ret=0
;;
(schema)
_arguments "${_arguments_options[@]}" : \
'--format=[How results are printed\: text for people, json for machines (stable fields, a version number), html as a page for browsers (plan, check, compare, law, diff, verify, policies, policy check and ledger show)]:FORMAT:((text\:"For people"
json\:"For machines"
html\:"For people with a browser\: one file that needs nothing else"))' \
'-h[Print help (see more with '\''--help'\'')]' \
'--help[Print help (see more with '\''--help'\'')]' \
'::of -- Of which of them:((request\:"The request file"
certificate\:"certificate.json of a delivered folder"
keys\:"The request file, as a page to read\: every key, what it may hold and what it means"))' \
&& ret=0
;;
(man)
_arguments "${_arguments_options[@]}" : \
'--format=[How results are printed\: text for people, json for machines (stable fields, a version number), html as a page for browsers (plan, check, compare, law, diff, verify, policies, policy check and ledger show)]:FORMAT:((text\:"For people"
json\:"For machines"
html\:"For people with a browser\: one file that needs nothing else"))' \
'-h[Print help (see more with '\''--help'\'')]' \
'--help[Print help (see more with '\''--help'\'')]' \
'::folder -- The folder that pages are written to; existing pages are not overwritten:_files' \
&& ret=0
;;
(completions)
_arguments "${_arguments_options[@]}" : \
'--format=[How results are printed\: text for people, json for machines (stable fields, a version number), html as a page for browsers (plan, check, compare, law, diff, verify, policies, policy check and ledger show)]:FORMAT:((text\:"For people"
json\:"For machines"
html\:"For people with a browser\: one file that needs nothing else"))' \
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
(check)
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
(release)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
(recover)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
(render)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
(diff)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
(verify)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
(export)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
(init)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
(policies)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
(policy)
_arguments "${_arguments_options[@]}" : \
":: :_incrowd__subcmd__help__subcmd__policy_commands" \
"*::: :->policy" \
&& ret=0

    case $state in
    (policy)
        words=($line[1] "${words[@]}")
        (( CURRENT += 1 ))
        curcontext="${curcontext%:*:*}:incrowd-help-policy-command-$line[1]:"
        case $line[1] in
            (check)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
        esac
    ;;
esac
;;
(ledger)
_arguments "${_arguments_options[@]}" : \
":: :_incrowd__subcmd__help__subcmd__ledger_commands" \
"*::: :->ledger" \
&& ret=0

    case $state in
    (ledger)
        words=($line[1] "${words[@]}")
        (( CURRENT += 1 ))
        curcontext="${curcontext%:*:*}:incrowd-help-ledger-command-$line[1]:"
        case $line[1] in
            (open)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
(policy)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
(show)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
(history)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
(verify)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
(export)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
(report)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
(exposure)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
(key)
_arguments "${_arguments_options[@]}" : \
":: :_incrowd__subcmd__help__subcmd__ledger__subcmd__key_commands" \
"*::: :->key" \
&& ret=0

    case $state in
    (key)
        words=($line[1] "${words[@]}")
        (( CURRENT += 1 ))
        curcontext="${curcontext%:*:*}:incrowd-help-ledger-key-command-$line[1]:"
        case $line[1] in
            (new)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
(show)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
(change)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
        esac
    ;;
esac
;;
(setup)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
(set-aside)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
(sign)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
        esac
    ;;
esac
;;
(example)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
(schema)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
(man)
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
'check:What a release would read, count and lose, for the steward'\''s eyes\: INTERNAL. Charges nothing.' \
'compare:Every mechanism that meets the same promise\: error and silence by group size.' \
'law:The exact law of what a bin of a given size may publish.' \
'draw:Draws from the real sampler for a hypothetical count, for outside auditors.' \
'release:Charge, count, protect, deliver\: publishes a folder with counts, a certificate and a report.' \
'recover:Gives a release its name that was paid for and written to the end, and then interrupted.' \
'render:Makes a new folder from a delivered one, with other totals, estimates, roundings or files; free.' \
'diff:Says what changed between two delivered folders of one table, and what may be noise; free.' \
'verify:Recomputes the certificate of a delivered folder and checks its tables against it. Reads no data.' \
'export:Writes a delivered folder in the form of others\: an entry for the public registry of deployments.' \
'init:Writes a commented request from the columns of a data file.' \
'policies:Rules that publishers follow, by name, with what each promises here and to whom exactly.' \
'policy:The policy of this machine\: what whoever releases on it cannot choose' \
'ledger:The account book\: what was promised about each data set, and what is left' \
'example:Writes an example with made-up data into a folder, ready to be released; without a name, lists them.' \
'schema:The JSON Schema of requests, for editors, or of certificates; or every key of a request as a page to read' \
'man:Manual pages\: the main one, or one for each command into a folder.' \
'completions:A completion script for a shell' \
'help:Print this message or the help of the given subcommand(s)' \
    )
    _describe -t commands 'incrowd commands' commands "$@"
}
(( $+functions[_incrowd__subcmd__check_commands] )) ||
_incrowd__subcmd__check_commands() {
    local commands; commands=()
    _describe -t commands 'incrowd check commands' commands "$@"
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
(( $+functions[_incrowd__subcmd__diff_commands] )) ||
_incrowd__subcmd__diff_commands() {
    local commands; commands=()
    _describe -t commands 'incrowd diff commands' commands "$@"
}
(( $+functions[_incrowd__subcmd__draw_commands] )) ||
_incrowd__subcmd__draw_commands() {
    local commands; commands=()
    _describe -t commands 'incrowd draw commands' commands "$@"
}
(( $+functions[_incrowd__subcmd__example_commands] )) ||
_incrowd__subcmd__example_commands() {
    local commands; commands=()
    _describe -t commands 'incrowd example commands' commands "$@"
}
(( $+functions[_incrowd__subcmd__export_commands] )) ||
_incrowd__subcmd__export_commands() {
    local commands; commands=()
    _describe -t commands 'incrowd export commands' commands "$@"
}
(( $+functions[_incrowd__subcmd__help_commands] )) ||
_incrowd__subcmd__help_commands() {
    local commands; commands=(
'plan:What will be promised, to whom, at what cost, with what error. Reads no data.' \
'check:What a release would read, count and lose, for the steward'\''s eyes\: INTERNAL. Charges nothing.' \
'compare:Every mechanism that meets the same promise\: error and silence by group size.' \
'law:The exact law of what a bin of a given size may publish.' \
'draw:Draws from the real sampler for a hypothetical count, for outside auditors.' \
'release:Charge, count, protect, deliver\: publishes a folder with counts, a certificate and a report.' \
'recover:Gives a release its name that was paid for and written to the end, and then interrupted.' \
'render:Makes a new folder from a delivered one, with other totals, estimates, roundings or files; free.' \
'diff:Says what changed between two delivered folders of one table, and what may be noise; free.' \
'verify:Recomputes the certificate of a delivered folder and checks its tables against it. Reads no data.' \
'export:Writes a delivered folder in the form of others\: an entry for the public registry of deployments.' \
'init:Writes a commented request from the columns of a data file.' \
'policies:Rules that publishers follow, by name, with what each promises here and to whom exactly.' \
'policy:The policy of this machine\: what whoever releases on it cannot choose' \
'ledger:The account book\: what was promised about each data set, and what is left' \
'example:Writes an example with made-up data into a folder, ready to be released; without a name, lists them.' \
'schema:The JSON Schema of requests, for editors, or of certificates; or every key of a request as a page to read' \
'man:Manual pages\: the main one, or one for each command into a folder.' \
'completions:A completion script for a shell' \
'help:Print this message or the help of the given subcommand(s)' \
    )
    _describe -t commands 'incrowd help commands' commands "$@"
}
(( $+functions[_incrowd__subcmd__help__subcmd__check_commands] )) ||
_incrowd__subcmd__help__subcmd__check_commands() {
    local commands; commands=()
    _describe -t commands 'incrowd help check commands' commands "$@"
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
(( $+functions[_incrowd__subcmd__help__subcmd__diff_commands] )) ||
_incrowd__subcmd__help__subcmd__diff_commands() {
    local commands; commands=()
    _describe -t commands 'incrowd help diff commands' commands "$@"
}
(( $+functions[_incrowd__subcmd__help__subcmd__draw_commands] )) ||
_incrowd__subcmd__help__subcmd__draw_commands() {
    local commands; commands=()
    _describe -t commands 'incrowd help draw commands' commands "$@"
}
(( $+functions[_incrowd__subcmd__help__subcmd__example_commands] )) ||
_incrowd__subcmd__help__subcmd__example_commands() {
    local commands; commands=()
    _describe -t commands 'incrowd help example commands' commands "$@"
}
(( $+functions[_incrowd__subcmd__help__subcmd__export_commands] )) ||
_incrowd__subcmd__help__subcmd__export_commands() {
    local commands; commands=()
    _describe -t commands 'incrowd help export commands' commands "$@"
}
(( $+functions[_incrowd__subcmd__help__subcmd__help_commands] )) ||
_incrowd__subcmd__help__subcmd__help_commands() {
    local commands; commands=()
    _describe -t commands 'incrowd help help commands' commands "$@"
}
(( $+functions[_incrowd__subcmd__help__subcmd__init_commands] )) ||
_incrowd__subcmd__help__subcmd__init_commands() {
    local commands; commands=()
    _describe -t commands 'incrowd help init commands' commands "$@"
}
(( $+functions[_incrowd__subcmd__help__subcmd__law_commands] )) ||
_incrowd__subcmd__help__subcmd__law_commands() {
    local commands; commands=()
    _describe -t commands 'incrowd help law commands' commands "$@"
}
(( $+functions[_incrowd__subcmd__help__subcmd__ledger_commands] )) ||
_incrowd__subcmd__help__subcmd__ledger_commands() {
    local commands; commands=(
'open:Opens an account for a data set, with or without a budget.' \
'policy:Changes terms of an account\: what is left out stays as it is. What was spent stays spent.' \
'show:What each account has promised in all, in numbers and in odds by group size, and what is left' \
'history:Every entry, oldest first' \
'verify:Verifies the whole book\: every entry, every link of the chain, every account.' \
'export:Writes the whole book, or one account, for other programs.' \
'report:Writes a page for people\: what each account has promised, to whom, and what is left.' \
'exposure:How much the people in the data have been exposed so far, for the steward'\''s eyes only.' \
'key:Makes, shows and changes the keys without whose signature an account'\''s terms cannot be loosened.' \
'setup:Sets a book in a PostgreSQL database up for a team, and says what that did.' \
'set-aside:Sets entries aside that no reader can read, with an entry that says so\: for the owner of a book in a database.' \
'sign:Shows in words what a change of terms is, and signs it\: no ledger is needed for that.' \
    )
    _describe -t commands 'incrowd help ledger commands' commands "$@"
}
(( $+functions[_incrowd__subcmd__help__subcmd__ledger__subcmd__export_commands] )) ||
_incrowd__subcmd__help__subcmd__ledger__subcmd__export_commands() {
    local commands; commands=()
    _describe -t commands 'incrowd help ledger export commands' commands "$@"
}
(( $+functions[_incrowd__subcmd__help__subcmd__ledger__subcmd__exposure_commands] )) ||
_incrowd__subcmd__help__subcmd__ledger__subcmd__exposure_commands() {
    local commands; commands=()
    _describe -t commands 'incrowd help ledger exposure commands' commands "$@"
}
(( $+functions[_incrowd__subcmd__help__subcmd__ledger__subcmd__history_commands] )) ||
_incrowd__subcmd__help__subcmd__ledger__subcmd__history_commands() {
    local commands; commands=()
    _describe -t commands 'incrowd help ledger history commands' commands "$@"
}
(( $+functions[_incrowd__subcmd__help__subcmd__ledger__subcmd__key_commands] )) ||
_incrowd__subcmd__help__subcmd__ledger__subcmd__key_commands() {
    local commands; commands=(
'new:Makes a key\: the private one in NAME.key, readable by you alone, and the public one in NAME.pub' \
'show:Shows the public key in a file, or of the private key in it' \
'change:Gives an account another key; one that it has already must sign that' \
    )
    _describe -t commands 'incrowd help ledger key commands' commands "$@"
}
(( $+functions[_incrowd__subcmd__help__subcmd__ledger__subcmd__key__subcmd__change_commands] )) ||
_incrowd__subcmd__help__subcmd__ledger__subcmd__key__subcmd__change_commands() {
    local commands; commands=()
    _describe -t commands 'incrowd help ledger key change commands' commands "$@"
}
(( $+functions[_incrowd__subcmd__help__subcmd__ledger__subcmd__key__subcmd__new_commands] )) ||
_incrowd__subcmd__help__subcmd__ledger__subcmd__key__subcmd__new_commands() {
    local commands; commands=()
    _describe -t commands 'incrowd help ledger key new commands' commands "$@"
}
(( $+functions[_incrowd__subcmd__help__subcmd__ledger__subcmd__key__subcmd__show_commands] )) ||
_incrowd__subcmd__help__subcmd__ledger__subcmd__key__subcmd__show_commands() {
    local commands; commands=()
    _describe -t commands 'incrowd help ledger key show commands' commands "$@"
}
(( $+functions[_incrowd__subcmd__help__subcmd__ledger__subcmd__open_commands] )) ||
_incrowd__subcmd__help__subcmd__ledger__subcmd__open_commands() {
    local commands; commands=()
    _describe -t commands 'incrowd help ledger open commands' commands "$@"
}
(( $+functions[_incrowd__subcmd__help__subcmd__ledger__subcmd__policy_commands] )) ||
_incrowd__subcmd__help__subcmd__ledger__subcmd__policy_commands() {
    local commands; commands=()
    _describe -t commands 'incrowd help ledger policy commands' commands "$@"
}
(( $+functions[_incrowd__subcmd__help__subcmd__ledger__subcmd__report_commands] )) ||
_incrowd__subcmd__help__subcmd__ledger__subcmd__report_commands() {
    local commands; commands=()
    _describe -t commands 'incrowd help ledger report commands' commands "$@"
}
(( $+functions[_incrowd__subcmd__help__subcmd__ledger__subcmd__set-aside_commands] )) ||
_incrowd__subcmd__help__subcmd__ledger__subcmd__set-aside_commands() {
    local commands; commands=()
    _describe -t commands 'incrowd help ledger set-aside commands' commands "$@"
}
(( $+functions[_incrowd__subcmd__help__subcmd__ledger__subcmd__setup_commands] )) ||
_incrowd__subcmd__help__subcmd__ledger__subcmd__setup_commands() {
    local commands; commands=()
    _describe -t commands 'incrowd help ledger setup commands' commands "$@"
}
(( $+functions[_incrowd__subcmd__help__subcmd__ledger__subcmd__show_commands] )) ||
_incrowd__subcmd__help__subcmd__ledger__subcmd__show_commands() {
    local commands; commands=()
    _describe -t commands 'incrowd help ledger show commands' commands "$@"
}
(( $+functions[_incrowd__subcmd__help__subcmd__ledger__subcmd__sign_commands] )) ||
_incrowd__subcmd__help__subcmd__ledger__subcmd__sign_commands() {
    local commands; commands=()
    _describe -t commands 'incrowd help ledger sign commands' commands "$@"
}
(( $+functions[_incrowd__subcmd__help__subcmd__ledger__subcmd__verify_commands] )) ||
_incrowd__subcmd__help__subcmd__ledger__subcmd__verify_commands() {
    local commands; commands=()
    _describe -t commands 'incrowd help ledger verify commands' commands "$@"
}
(( $+functions[_incrowd__subcmd__help__subcmd__man_commands] )) ||
_incrowd__subcmd__help__subcmd__man_commands() {
    local commands; commands=()
    _describe -t commands 'incrowd help man commands' commands "$@"
}
(( $+functions[_incrowd__subcmd__help__subcmd__plan_commands] )) ||
_incrowd__subcmd__help__subcmd__plan_commands() {
    local commands; commands=()
    _describe -t commands 'incrowd help plan commands' commands "$@"
}
(( $+functions[_incrowd__subcmd__help__subcmd__policies_commands] )) ||
_incrowd__subcmd__help__subcmd__policies_commands() {
    local commands; commands=()
    _describe -t commands 'incrowd help policies commands' commands "$@"
}
(( $+functions[_incrowd__subcmd__help__subcmd__policy_commands] )) ||
_incrowd__subcmd__help__subcmd__policy_commands() {
    local commands; commands=(
'check:Says what the policy of this machine asks for, and whether a request may be released by it. Reads no data.' \
    )
    _describe -t commands 'incrowd help policy commands' commands "$@"
}
(( $+functions[_incrowd__subcmd__help__subcmd__policy__subcmd__check_commands] )) ||
_incrowd__subcmd__help__subcmd__policy__subcmd__check_commands() {
    local commands; commands=()
    _describe -t commands 'incrowd help policy check commands' commands "$@"
}
(( $+functions[_incrowd__subcmd__help__subcmd__recover_commands] )) ||
_incrowd__subcmd__help__subcmd__recover_commands() {
    local commands; commands=()
    _describe -t commands 'incrowd help recover commands' commands "$@"
}
(( $+functions[_incrowd__subcmd__help__subcmd__release_commands] )) ||
_incrowd__subcmd__help__subcmd__release_commands() {
    local commands; commands=()
    _describe -t commands 'incrowd help release commands' commands "$@"
}
(( $+functions[_incrowd__subcmd__help__subcmd__render_commands] )) ||
_incrowd__subcmd__help__subcmd__render_commands() {
    local commands; commands=()
    _describe -t commands 'incrowd help render commands' commands "$@"
}
(( $+functions[_incrowd__subcmd__help__subcmd__schema_commands] )) ||
_incrowd__subcmd__help__subcmd__schema_commands() {
    local commands; commands=()
    _describe -t commands 'incrowd help schema commands' commands "$@"
}
(( $+functions[_incrowd__subcmd__help__subcmd__verify_commands] )) ||
_incrowd__subcmd__help__subcmd__verify_commands() {
    local commands; commands=()
    _describe -t commands 'incrowd help verify commands' commands "$@"
}
(( $+functions[_incrowd__subcmd__init_commands] )) ||
_incrowd__subcmd__init_commands() {
    local commands; commands=()
    _describe -t commands 'incrowd init commands' commands "$@"
}
(( $+functions[_incrowd__subcmd__law_commands] )) ||
_incrowd__subcmd__law_commands() {
    local commands; commands=()
    _describe -t commands 'incrowd law commands' commands "$@"
}
(( $+functions[_incrowd__subcmd__ledger_commands] )) ||
_incrowd__subcmd__ledger_commands() {
    local commands; commands=(
'open:Opens an account for a data set, with or without a budget.' \
'policy:Changes terms of an account\: what is left out stays as it is. What was spent stays spent.' \
'show:What each account has promised in all, in numbers and in odds by group size, and what is left' \
'history:Every entry, oldest first' \
'verify:Verifies the whole book\: every entry, every link of the chain, every account.' \
'export:Writes the whole book, or one account, for other programs.' \
'report:Writes a page for people\: what each account has promised, to whom, and what is left.' \
'exposure:How much the people in the data have been exposed so far, for the steward'\''s eyes only.' \
'key:Makes, shows and changes the keys without whose signature an account'\''s terms cannot be loosened.' \
'setup:Sets a book in a PostgreSQL database up for a team, and says what that did.' \
'set-aside:Sets entries aside that no reader can read, with an entry that says so\: for the owner of a book in a database.' \
'sign:Shows in words what a change of terms is, and signs it\: no ledger is needed for that.' \
'help:Print this message or the help of the given subcommand(s)' \
    )
    _describe -t commands 'incrowd ledger commands' commands "$@"
}
(( $+functions[_incrowd__subcmd__ledger__subcmd__export_commands] )) ||
_incrowd__subcmd__ledger__subcmd__export_commands() {
    local commands; commands=()
    _describe -t commands 'incrowd ledger export commands' commands "$@"
}
(( $+functions[_incrowd__subcmd__ledger__subcmd__exposure_commands] )) ||
_incrowd__subcmd__ledger__subcmd__exposure_commands() {
    local commands; commands=()
    _describe -t commands 'incrowd ledger exposure commands' commands "$@"
}
(( $+functions[_incrowd__subcmd__ledger__subcmd__help_commands] )) ||
_incrowd__subcmd__ledger__subcmd__help_commands() {
    local commands; commands=(
'open:Opens an account for a data set, with or without a budget.' \
'policy:Changes terms of an account\: what is left out stays as it is. What was spent stays spent.' \
'show:What each account has promised in all, in numbers and in odds by group size, and what is left' \
'history:Every entry, oldest first' \
'verify:Verifies the whole book\: every entry, every link of the chain, every account.' \
'export:Writes the whole book, or one account, for other programs.' \
'report:Writes a page for people\: what each account has promised, to whom, and what is left.' \
'exposure:How much the people in the data have been exposed so far, for the steward'\''s eyes only.' \
'key:Makes, shows and changes the keys without whose signature an account'\''s terms cannot be loosened.' \
'setup:Sets a book in a PostgreSQL database up for a team, and says what that did.' \
'set-aside:Sets entries aside that no reader can read, with an entry that says so\: for the owner of a book in a database.' \
'sign:Shows in words what a change of terms is, and signs it\: no ledger is needed for that.' \
'help:Print this message or the help of the given subcommand(s)' \
    )
    _describe -t commands 'incrowd ledger help commands' commands "$@"
}
(( $+functions[_incrowd__subcmd__ledger__subcmd__help__subcmd__export_commands] )) ||
_incrowd__subcmd__ledger__subcmd__help__subcmd__export_commands() {
    local commands; commands=()
    _describe -t commands 'incrowd ledger help export commands' commands "$@"
}
(( $+functions[_incrowd__subcmd__ledger__subcmd__help__subcmd__exposure_commands] )) ||
_incrowd__subcmd__ledger__subcmd__help__subcmd__exposure_commands() {
    local commands; commands=()
    _describe -t commands 'incrowd ledger help exposure commands' commands "$@"
}
(( $+functions[_incrowd__subcmd__ledger__subcmd__help__subcmd__help_commands] )) ||
_incrowd__subcmd__ledger__subcmd__help__subcmd__help_commands() {
    local commands; commands=()
    _describe -t commands 'incrowd ledger help help commands' commands "$@"
}
(( $+functions[_incrowd__subcmd__ledger__subcmd__help__subcmd__history_commands] )) ||
_incrowd__subcmd__ledger__subcmd__help__subcmd__history_commands() {
    local commands; commands=()
    _describe -t commands 'incrowd ledger help history commands' commands "$@"
}
(( $+functions[_incrowd__subcmd__ledger__subcmd__help__subcmd__key_commands] )) ||
_incrowd__subcmd__ledger__subcmd__help__subcmd__key_commands() {
    local commands; commands=(
'new:Makes a key\: the private one in NAME.key, readable by you alone, and the public one in NAME.pub' \
'show:Shows the public key in a file, or of the private key in it' \
'change:Gives an account another key; one that it has already must sign that' \
    )
    _describe -t commands 'incrowd ledger help key commands' commands "$@"
}
(( $+functions[_incrowd__subcmd__ledger__subcmd__help__subcmd__key__subcmd__change_commands] )) ||
_incrowd__subcmd__ledger__subcmd__help__subcmd__key__subcmd__change_commands() {
    local commands; commands=()
    _describe -t commands 'incrowd ledger help key change commands' commands "$@"
}
(( $+functions[_incrowd__subcmd__ledger__subcmd__help__subcmd__key__subcmd__new_commands] )) ||
_incrowd__subcmd__ledger__subcmd__help__subcmd__key__subcmd__new_commands() {
    local commands; commands=()
    _describe -t commands 'incrowd ledger help key new commands' commands "$@"
}
(( $+functions[_incrowd__subcmd__ledger__subcmd__help__subcmd__key__subcmd__show_commands] )) ||
_incrowd__subcmd__ledger__subcmd__help__subcmd__key__subcmd__show_commands() {
    local commands; commands=()
    _describe -t commands 'incrowd ledger help key show commands' commands "$@"
}
(( $+functions[_incrowd__subcmd__ledger__subcmd__help__subcmd__open_commands] )) ||
_incrowd__subcmd__ledger__subcmd__help__subcmd__open_commands() {
    local commands; commands=()
    _describe -t commands 'incrowd ledger help open commands' commands "$@"
}
(( $+functions[_incrowd__subcmd__ledger__subcmd__help__subcmd__policy_commands] )) ||
_incrowd__subcmd__ledger__subcmd__help__subcmd__policy_commands() {
    local commands; commands=()
    _describe -t commands 'incrowd ledger help policy commands' commands "$@"
}
(( $+functions[_incrowd__subcmd__ledger__subcmd__help__subcmd__report_commands] )) ||
_incrowd__subcmd__ledger__subcmd__help__subcmd__report_commands() {
    local commands; commands=()
    _describe -t commands 'incrowd ledger help report commands' commands "$@"
}
(( $+functions[_incrowd__subcmd__ledger__subcmd__help__subcmd__set-aside_commands] )) ||
_incrowd__subcmd__ledger__subcmd__help__subcmd__set-aside_commands() {
    local commands; commands=()
    _describe -t commands 'incrowd ledger help set-aside commands' commands "$@"
}
(( $+functions[_incrowd__subcmd__ledger__subcmd__help__subcmd__setup_commands] )) ||
_incrowd__subcmd__ledger__subcmd__help__subcmd__setup_commands() {
    local commands; commands=()
    _describe -t commands 'incrowd ledger help setup commands' commands "$@"
}
(( $+functions[_incrowd__subcmd__ledger__subcmd__help__subcmd__show_commands] )) ||
_incrowd__subcmd__ledger__subcmd__help__subcmd__show_commands() {
    local commands; commands=()
    _describe -t commands 'incrowd ledger help show commands' commands "$@"
}
(( $+functions[_incrowd__subcmd__ledger__subcmd__help__subcmd__sign_commands] )) ||
_incrowd__subcmd__ledger__subcmd__help__subcmd__sign_commands() {
    local commands; commands=()
    _describe -t commands 'incrowd ledger help sign commands' commands "$@"
}
(( $+functions[_incrowd__subcmd__ledger__subcmd__help__subcmd__verify_commands] )) ||
_incrowd__subcmd__ledger__subcmd__help__subcmd__verify_commands() {
    local commands; commands=()
    _describe -t commands 'incrowd ledger help verify commands' commands "$@"
}
(( $+functions[_incrowd__subcmd__ledger__subcmd__history_commands] )) ||
_incrowd__subcmd__ledger__subcmd__history_commands() {
    local commands; commands=()
    _describe -t commands 'incrowd ledger history commands' commands "$@"
}
(( $+functions[_incrowd__subcmd__ledger__subcmd__key_commands] )) ||
_incrowd__subcmd__ledger__subcmd__key_commands() {
    local commands; commands=(
'new:Makes a key\: the private one in NAME.key, readable by you alone, and the public one in NAME.pub' \
'show:Shows the public key in a file, or of the private key in it' \
'change:Gives an account another key; one that it has already must sign that' \
'help:Print this message or the help of the given subcommand(s)' \
    )
    _describe -t commands 'incrowd ledger key commands' commands "$@"
}
(( $+functions[_incrowd__subcmd__ledger__subcmd__key__subcmd__change_commands] )) ||
_incrowd__subcmd__ledger__subcmd__key__subcmd__change_commands() {
    local commands; commands=()
    _describe -t commands 'incrowd ledger key change commands' commands "$@"
}
(( $+functions[_incrowd__subcmd__ledger__subcmd__key__subcmd__help_commands] )) ||
_incrowd__subcmd__ledger__subcmd__key__subcmd__help_commands() {
    local commands; commands=(
'new:Makes a key\: the private one in NAME.key, readable by you alone, and the public one in NAME.pub' \
'show:Shows the public key in a file, or of the private key in it' \
'change:Gives an account another key; one that it has already must sign that' \
'help:Print this message or the help of the given subcommand(s)' \
    )
    _describe -t commands 'incrowd ledger key help commands' commands "$@"
}
(( $+functions[_incrowd__subcmd__ledger__subcmd__key__subcmd__help__subcmd__change_commands] )) ||
_incrowd__subcmd__ledger__subcmd__key__subcmd__help__subcmd__change_commands() {
    local commands; commands=()
    _describe -t commands 'incrowd ledger key help change commands' commands "$@"
}
(( $+functions[_incrowd__subcmd__ledger__subcmd__key__subcmd__help__subcmd__help_commands] )) ||
_incrowd__subcmd__ledger__subcmd__key__subcmd__help__subcmd__help_commands() {
    local commands; commands=()
    _describe -t commands 'incrowd ledger key help help commands' commands "$@"
}
(( $+functions[_incrowd__subcmd__ledger__subcmd__key__subcmd__help__subcmd__new_commands] )) ||
_incrowd__subcmd__ledger__subcmd__key__subcmd__help__subcmd__new_commands() {
    local commands; commands=()
    _describe -t commands 'incrowd ledger key help new commands' commands "$@"
}
(( $+functions[_incrowd__subcmd__ledger__subcmd__key__subcmd__help__subcmd__show_commands] )) ||
_incrowd__subcmd__ledger__subcmd__key__subcmd__help__subcmd__show_commands() {
    local commands; commands=()
    _describe -t commands 'incrowd ledger key help show commands' commands "$@"
}
(( $+functions[_incrowd__subcmd__ledger__subcmd__key__subcmd__new_commands] )) ||
_incrowd__subcmd__ledger__subcmd__key__subcmd__new_commands() {
    local commands; commands=()
    _describe -t commands 'incrowd ledger key new commands' commands "$@"
}
(( $+functions[_incrowd__subcmd__ledger__subcmd__key__subcmd__show_commands] )) ||
_incrowd__subcmd__ledger__subcmd__key__subcmd__show_commands() {
    local commands; commands=()
    _describe -t commands 'incrowd ledger key show commands' commands "$@"
}
(( $+functions[_incrowd__subcmd__ledger__subcmd__open_commands] )) ||
_incrowd__subcmd__ledger__subcmd__open_commands() {
    local commands; commands=()
    _describe -t commands 'incrowd ledger open commands' commands "$@"
}
(( $+functions[_incrowd__subcmd__ledger__subcmd__policy_commands] )) ||
_incrowd__subcmd__ledger__subcmd__policy_commands() {
    local commands; commands=()
    _describe -t commands 'incrowd ledger policy commands' commands "$@"
}
(( $+functions[_incrowd__subcmd__ledger__subcmd__report_commands] )) ||
_incrowd__subcmd__ledger__subcmd__report_commands() {
    local commands; commands=()
    _describe -t commands 'incrowd ledger report commands' commands "$@"
}
(( $+functions[_incrowd__subcmd__ledger__subcmd__set-aside_commands] )) ||
_incrowd__subcmd__ledger__subcmd__set-aside_commands() {
    local commands; commands=()
    _describe -t commands 'incrowd ledger set-aside commands' commands "$@"
}
(( $+functions[_incrowd__subcmd__ledger__subcmd__setup_commands] )) ||
_incrowd__subcmd__ledger__subcmd__setup_commands() {
    local commands; commands=()
    _describe -t commands 'incrowd ledger setup commands' commands "$@"
}
(( $+functions[_incrowd__subcmd__ledger__subcmd__show_commands] )) ||
_incrowd__subcmd__ledger__subcmd__show_commands() {
    local commands; commands=()
    _describe -t commands 'incrowd ledger show commands' commands "$@"
}
(( $+functions[_incrowd__subcmd__ledger__subcmd__sign_commands] )) ||
_incrowd__subcmd__ledger__subcmd__sign_commands() {
    local commands; commands=()
    _describe -t commands 'incrowd ledger sign commands' commands "$@"
}
(( $+functions[_incrowd__subcmd__ledger__subcmd__verify_commands] )) ||
_incrowd__subcmd__ledger__subcmd__verify_commands() {
    local commands; commands=()
    _describe -t commands 'incrowd ledger verify commands' commands "$@"
}
(( $+functions[_incrowd__subcmd__man_commands] )) ||
_incrowd__subcmd__man_commands() {
    local commands; commands=()
    _describe -t commands 'incrowd man commands' commands "$@"
}
(( $+functions[_incrowd__subcmd__plan_commands] )) ||
_incrowd__subcmd__plan_commands() {
    local commands; commands=()
    _describe -t commands 'incrowd plan commands' commands "$@"
}
(( $+functions[_incrowd__subcmd__policies_commands] )) ||
_incrowd__subcmd__policies_commands() {
    local commands; commands=()
    _describe -t commands 'incrowd policies commands' commands "$@"
}
(( $+functions[_incrowd__subcmd__policy_commands] )) ||
_incrowd__subcmd__policy_commands() {
    local commands; commands=(
'check:Says what the policy of this machine asks for, and whether a request may be released by it. Reads no data.' \
'help:Print this message or the help of the given subcommand(s)' \
    )
    _describe -t commands 'incrowd policy commands' commands "$@"
}
(( $+functions[_incrowd__subcmd__policy__subcmd__check_commands] )) ||
_incrowd__subcmd__policy__subcmd__check_commands() {
    local commands; commands=()
    _describe -t commands 'incrowd policy check commands' commands "$@"
}
(( $+functions[_incrowd__subcmd__policy__subcmd__help_commands] )) ||
_incrowd__subcmd__policy__subcmd__help_commands() {
    local commands; commands=(
'check:Says what the policy of this machine asks for, and whether a request may be released by it. Reads no data.' \
'help:Print this message or the help of the given subcommand(s)' \
    )
    _describe -t commands 'incrowd policy help commands' commands "$@"
}
(( $+functions[_incrowd__subcmd__policy__subcmd__help__subcmd__check_commands] )) ||
_incrowd__subcmd__policy__subcmd__help__subcmd__check_commands() {
    local commands; commands=()
    _describe -t commands 'incrowd policy help check commands' commands "$@"
}
(( $+functions[_incrowd__subcmd__policy__subcmd__help__subcmd__help_commands] )) ||
_incrowd__subcmd__policy__subcmd__help__subcmd__help_commands() {
    local commands; commands=()
    _describe -t commands 'incrowd policy help help commands' commands "$@"
}
(( $+functions[_incrowd__subcmd__recover_commands] )) ||
_incrowd__subcmd__recover_commands() {
    local commands; commands=()
    _describe -t commands 'incrowd recover commands' commands "$@"
}
(( $+functions[_incrowd__subcmd__release_commands] )) ||
_incrowd__subcmd__release_commands() {
    local commands; commands=()
    _describe -t commands 'incrowd release commands' commands "$@"
}
(( $+functions[_incrowd__subcmd__render_commands] )) ||
_incrowd__subcmd__render_commands() {
    local commands; commands=()
    _describe -t commands 'incrowd render commands' commands "$@"
}
(( $+functions[_incrowd__subcmd__schema_commands] )) ||
_incrowd__subcmd__schema_commands() {
    local commands; commands=()
    _describe -t commands 'incrowd schema commands' commands "$@"
}
(( $+functions[_incrowd__subcmd__verify_commands] )) ||
_incrowd__subcmd__verify_commands() {
    local commands; commands=()
    _describe -t commands 'incrowd verify commands' commands "$@"
}

if [ "$funcstack[1]" = "_incrowd" ]; then
    _incrowd "$@"
else
    compdef _incrowd incrowd
fi
