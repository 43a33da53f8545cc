/** What is known of programs that run other commands, in the words they are called with. */

const words = (text: string): readonly string[] => text.trim().split(/\s+/)

/** Their language isn't that of a POSIX shell, so their code counts as unresolved. */
export const foreignShells: ReadonlySet<string> = new Set(
  words('fish csh tcsh pwsh powershell cmd cmd.exe nu elvish xonsh ysh rc es oil murex ion'),
)
export const shells: ReadonlySet<string> = new Set([
  ...words('sh bash zsh dash ash ksh mksh oksh loksh pdksh ksh93 rbash rzsh yash posh osh bosh jsh'),
  ...foreignShells,
])

/** Programs that run the command behind their own options; the number of words of their own before it. */
export const wrappers: Readonly<Record<string, number>> = Object.fromEntries([
  ...words(`
    env sudo doas nice nohup stdbuf setsid ionice time unshare nsenter strace ltrace catchsegv command builtin exec noglob
    nocorrect xargs gxargs parallel entr busybox toybox setpriv runuser firejail bwrap proot fakeroot systemd-run caffeinate
    npx bunx pnpx uvx dotenv cross-env watch hyperfine unbuffer rlwrap script with-lock nix-shell sem reptyr gdb valgrind
    ssh-agent dbus-launch dbus-run-session xvfb-run proxychains proxychains4 torsocks torify tsocks numactl prlimit choom
    cgexec chronic ifne daemonize run0 tini dumb-init linux32 linux64 aa-exec eatmydata pkexec cpulimit systemd-inhibit xterm
    pipx perf rr nodemon chpst softlimit setlock multilog tsp lockf trickle unionfs-fuse
  `).map((name): [string, number] => [name, 0]),
  ...words('chrt taskset timeout gtimeout flock chroot faketime gosu su-exec setarch runcon mise asdf nix').map(
    (name): [string, number] => [name, 1],
  ),
  ['direnv', 2],
])
/** The program that loads programs. */
export const isLoader = (program: string): boolean => /^ld-(linux|musl)|^ld(64)?\.so/.test(program)

/** The same behind a word such as `run`. */
export const runners: ReadonlySet<string> = new Set(
  words(`
    uv poetry pipenv conda mamba micromamba hatch rye pdm bundle doppler op infisical dotenvx volta fnm nvm rbenv pyenv
    turbo lerna nx devbox pixi cmake
  `),
)
/** The same behind another word or two: an image, a container, a profile. */
export const runnersIn: ReadonlySet<string> = new Set(
  words('docker podman nerdctl docker-compose podman-compose finch limactl lxc incus rustup aws-vault chamber'),
)
export const runVerb = /^(run|exec|x|tool|shell|env)$/

/** They take more words from their input. */
export const readsWords: ReadonlySet<string> = new Set(['xargs', 'gxargs', 'parallel', 'sem'])

/** Programs with arguments that are command lines themselves. */
export const takesCommandLines: ReadonlySet<string> = new Set(
  words(`
    eval trap su runuser script watch ssh parallel sem entr sg hyperfine flock env nix-shell nix at batch tmux screen dotenv
    concurrently nodemon start-stop-daemon docker podman kubectl vagrant xterm expect cmd xargs gxargs dbus-run-session rsync
    scp tar bsdtar man npx pnpx bunx capsh compgen complete bind mapfile readarray socat zip gdb lldb
  `),
)

/** Options of other programs with a command line, which is the next word or follows at once. */
export const optionLines: Readonly<Record<string, RegExp>> = {
  ...{ rg: /^--(pre|hostname-bin)$/, ag: /^--pager$/, fzf: /^--(preview|bind|with-shell|listen)$/ },
  ...{
    sort: /^--compress-program$/,
    split: /^--filter$/,
    nano: /^(-s|--speller)$/,
    wget: /^(-e|--execute|--use-askpass)$/,
  },
  ...{
    tcpdump: /^-z$/,
    npm: /^(-c|--call)$/,
    pnpm: /^(-c|--call)$/,
    yarn: /^(-c|--call)$/,
    go: /^--?(exec|toolexec|vettool)$/,
  },
}

/** Subcommands of git with arguments that are command lines. */
export const gitTakesCommandLines: ReadonlySet<string> = new Set(
  words('rebase bisect submodule filter-branch difftool mergetool for-each-repo bugreport'),
)
/** Options of git's subcommands that name a program. */
export const gitProgramOption = /^(--(upload-pack|receive-pack|exec|open-files-in-pager)(=|$)|-O.)/

/** Programs whose words are data, whatever they say. */
export const takesData: ReadonlySet<string> = new Set(
  words(`
    echo printf grep egrep fgrep rg ag ack cat bat ls head tail wc stat file diff cmp du test [ [[ cd pushd popd which
    type whereis whatis apropos jq yq md5sum sha256sum readlink realpath basename dirname tree touch mkdir sed gsed awk gawk
    mawk nawk git gh export true false : logger notify-send say cut tr uniq comm sort column fold fmt
  `),
)

/** Variables by which other programs run, or the hook looks elsewhere. */
export const isDangerousVariable = (name: string): boolean =>
  /^(PATH|IFS|ENV|BASH_ENV|SHELLOPTS|BASHOPTS|PROMPT_COMMAND|PS4|HOME|ZDOTDIR|CDPATH|SHELL|.*EDITOR|.*PAGER|BROWSER|PERL5?OPT|PERL5LIB|PYTHON(STARTUP|PATH|HOME)|RUBYOPT|RUBYLIB|NODE_OPTIONS|NODE_PATH|JAVA_TOOL_OPTIONS|LESSOPEN|MANPAGER|npm_config_.*|BASH_(ALIASES|CMDS)|XDG_(CONFIG|STATE|DATA)_HOME)$|^(LD|DYLD|GIT(?!_(AUTHOR|COMMITTER))|COUNTERSIGN|CLAUDE|CODEX|GEMINI|COPILOT|OPENCODE|CURSOR|BASH_FUNC)_/i.test(
    name,
  )

/** Tables of zsh in which an entry makes a name another command. */
export const isCommandTable = (name: string): boolean =>
  /^(BASH_(ALIASES|CMDS)|(dis_)?([gs]?aliases|functions)|commands|builtins)$/.test(name)

/** A command in a subscript, which runs wherever the text that holds it is evaluated: `a[$(git push)]`. */
export const runsInSubscript = /\[[^\]]*(\$\(|`)/

/** Builtins that evaluate their words. */
export const evaluates: ReadonlySet<string> = new Set(
  words('read mapfile readarray getopts export declare typeset readonly local let printf unset test [ set shift wait'),
)

/** Builtins that give a variable a value which isn't an assignment in the line, with the words that name it. */
export const setsVariables: ReadonlySet<string> = new Set(
  words('read mapfile readarray getopts export declare typeset readonly local let printf'),
)

/** They change no file, so that a script which runs after them is the one that was read. */
export const isQuiet: ReadonlySet<string> = new Set([
  ...[
    'cd',
    'pushd',
    'popd',
    'pwd',
    'echo',
    'printf',
    'true',
    'false',
    ':',
    'test',
    '[',
    '[[',
    'export',
    'set',
    'shopt',
    'umask',
  ],
  ...[
    'ls',
    'cat',
    'head',
    'tail',
    'wc',
    'grep',
    'rg',
    'which',
    'type',
    'command',
    'sleep',
    'date',
    'mkdir',
    'exit',
    'return',
  ],
  ...[
    'time',
    'env',
    'nice',
    'nohup',
    'timeout',
    'local',
    'declare',
    'readonly',
    'unset',
    'ulimit',
    'wait',
    'jobs',
    'id',
    'whoami',
  ],
])

/** Subcommands that git has of itself; another one may be an alias, which can be any command. */
export const gitCommands: ReadonlySet<string> = new Set(
  'add am annotate apply archive bisect blame branch bundle cat-file check-attr check-ignore check-mailmap check-ref-format checkout checkout-index cherry cherry-pick clean clone commit commit-graph commit-tree config count-objects credential describe diff diff-files diff-index diff-tree difftool fast-export fast-import fetch fetch-pack filter-branch fmt-merge-msg for-each-ref for-each-repo format-patch fsck gc get-tar-commit-id grep hash-object help hook init index-pack log lfs ls-files ls-remote ls-tree mailinfo mailsplit maintenance merge merge-base merge-file merge-index merge-tree mergetool mktag mktree mv name-rev notes pack-objects pack-refs prune pull push range-diff read-tree rebase reflog remote repack replace request-pull rerere reset restore rev-list rev-parse revert rm send-email send-pack shortlog show show-branch show-index show-ref sparse-checkout stage stash status stripspace submodule switch symbolic-ref tag unpack-objects update-index update-ref update-server-info var verify-commit verify-pack verify-tag version whatchanged worktree write-tree'.split(
    ' ',
  ),
)

/** Options before a subcommand that take the next word. */
export const valueOptions: Readonly<Record<string, readonly string[]>> = {
  git: [
    '-C',
    '-c',
    '--git-dir',
    '--work-tree',
    '--namespace',
    '--exec-path',
    '--config-env',
    '--super-prefix',
    '--attr-source',
  ],
  docker: ['-H', '--host', '-c', '--context', '--config', '-l', '--log-level'],
  kubectl: [
    '-n',
    '--namespace',
    '--context',
    '--cluster',
    '--kubeconfig',
    '-s',
    '--server',
    '--user',
    '--token',
    '--as',
  ],
  helm: ['-n', '--namespace', '--kube-context', '--kubeconfig'],
  npm: ['--prefix', '-w', '--workspace', '--registry', '--loglevel', '-C'],
  pnpm: ['-C', '--dir', '--filter', '-F', '--prefix'],
  yarn: ['--cwd'],
  gh: ['-R', '--repo'],
  aws: ['--profile', '--region', '--output', '--endpoint-url', '--query'],
  gcloud: ['--project', '--account', '--configuration', '--format'],
  cargo: ['--config', '--color', '-Z', '-C'],
  make: ['-C', '-f', '-j', '-I', '-o', '-W'],
  wrangler: ['-c', '--config', '-e', '--env'],
}
