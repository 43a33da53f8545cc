/** What is known of programs that run other commands, in the words they are called with. */

export const shells: ReadonlySet<string> = new Set([
  ...[
    'sh',
    'bash',
    'zsh',
    'dash',
    'ash',
    'ksh',
    'mksh',
    'rbash',
    'fish',
    'csh',
    'tcsh',
    'pwsh',
    'powershell',
    'cmd',
    'cmd.exe',
  ],
])
/** Their language isn't that of a POSIX shell, so their code counts as unresolved. */
export const foreignShells: ReadonlySet<string> = new Set([
  ...['fish', 'csh', 'tcsh', 'pwsh', 'powershell', 'cmd', 'cmd.exe'],
])

/** Programs that run the command behind their own options; the number of words of their own before it. */
export const wrappers: Readonly<Record<string, number>> = {
  ...{ env: 0, sudo: 0, doas: 0, nice: 0, nohup: 0, stdbuf: 0, setsid: 0, ionice: 0, chrt: 1, taskset: 1, time: 0 },
  ...{ timeout: 1, gtimeout: 1, flock: 1, chroot: 1, unshare: 0, nsenter: 0, strace: 0, ltrace: 0, catchsegv: 0 },
  ...{
    command: 0,
    builtin: 0,
    exec: 0,
    noglob: 0,
    nocorrect: 0,
    xargs: 0,
    gxargs: 0,
    parallel: 0,
    entr: 0,
    busybox: 0,
  },
  ...{
    toybox: 0,
    setpriv: 0,
    runuser: 0,
    firejail: 0,
    bwrap: 0,
    proot: 0,
    fakeroot: 0,
    'systemd-run': 0,
    caffeinate: 0,
  },
  ...{
    npx: 0,
    bunx: 0,
    pnpx: 0,
    uvx: 0,
    dotenv: 0,
    'cross-env': 0,
    direnv: 2,
    watch: 0,
    hyperfine: 0,
    unbuffer: 0,
    rlwrap: 0,
  },
  ...{ script: 0, 'with-lock': 0, mise: 1, asdf: 1, nix: 1, 'nix-shell': 0, sem: 0, reptyr: 0, gdb: 0, valgrind: 0 },
}
/** They take more words from their input. */
export const readsWords: ReadonlySet<string> = new Set(['xargs', 'gxargs', 'parallel', 'sem'])

/** Programs with arguments that are command lines themselves. */
export const takesCommandLines: ReadonlySet<string> = new Set([
  ...[
    'eval',
    'trap',
    'su',
    'runuser',
    'script',
    'watch',
    'ssh',
    'parallel',
    'sem',
    'entr',
    'sg',
    'hyperfine',
    'flock',
    'env',
  ],
  ...[
    'nix-shell',
    'nix',
    'at',
    'batch',
    'tmux',
    'screen',
    'dotenv',
    'concurrently',
    'nodemon',
    'start-stop-daemon',
    'docker',
  ],
  ...[
    'podman',
    'kubectl',
    'vagrant',
    'xterm',
    'expect',
    'cmd',
    'xargs',
    'gxargs',
    'dbus-run-session',
    'rsync',
    'scp',
    'tar',
  ],
])

/** Subcommands of git with arguments that are command lines. */
export const gitTakesCommandLines: ReadonlySet<string> = new Set([
  ...['rebase', 'bisect', 'submodule', 'filter-branch', 'difftool', 'mergetool', 'grep', 'for-each-repo', 'bugreport'],
])

/** Programs that run code, with the options behind which it is. */
export const interpreters: Readonly<Record<string, RegExp>> = {
  ...{ python: /^-\w*c/, pypy: /^-\w*c/, ipython: /^(-c|--c)/ },
  ...{
    node: /^(-[a-z]*[ep]|--eval|--print)/,
    deno: /^(eval|repl)$/,
    bun: /^(-[a-z]*[ep]|--eval|--print)$/,
    tsx: /^(-[a-z]*[ep]|--eval)/,
  },
  ...{
    perl: /^-\w*[eE]/,
    ruby: /^-\w*e/,
    php: /^-[rBREa]|^--(run|process)/,
    lua: /^-e/,
    luajit: /^-e/,
    R: /^-e/,
    Rscript: /^-e/,
  },
  ...{
    osascript: /^-\w*e/,
    tclsh: /^$/,
    expect: /^-c/,
    groovy: /^-\w*e/,
    scala: /^-e/,
    julia: /^(-\w*[eE]|--eval)/,
    elixir: /^(-e|--eval)/,
  },
  ...{ ghc: /^-e/, swift: /^-e/, raku: /^-e/, guile: /^-c/, racket: /^-\w*e/, sbcl: /^--eval/, emacs: /^-?-eval/ },
  ...{ vim: /^(-c|\+|--cmd|-S|-s$)/, vi: /^(-c|\+)/, nvim: /^(-c|\+|--cmd|-S|-l$)/, ed: /^$/, ex: /^(-c|\+)/ },
}
/** `python3.12` is `python`. */
export const interpreterOf = (program: string): RegExp | null => {
  const name = program.replace(/(\d+(\.\d+)*)?(\.exe)?$/, '')
  return Object.hasOwn(interpreters, name) ? (interpreters[name] as RegExp) : null
}

/** Variables by which other programs run, or the hook looks elsewhere. */
export const isDangerousVariable = (name: string): boolean =>
  /^(PATH|IFS|ENV|BASH_ENV|SHELLOPTS|BASHOPTS|PROMPT_COMMAND|PS4|HOME|ZDOTDIR|CDPATH|SHELL|.*EDITOR|.*PAGER|BROWSER|PERL5?OPT|PERL5LIB|PYTHON(STARTUP|PATH|HOME)|RUBYOPT|RUBYLIB|NODE_OPTIONS|NODE_PATH|JAVA_TOOL_OPTIONS|LESSOPEN|MANPAGER|npm_config_.*|XDG_(CONFIG|STATE|DATA)_HOME)$|^(LD|DYLD|GIT(?!_(AUTHOR|COMMITTER))|COUNTERSIGN|CLAUDE|CODEX|GEMINI|COPILOT|OPENCODE|CURSOR|BASH_FUNC)_/i.test(
    name,
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
