/** Lines that a version of the hook let pass. Each is asked about; the last ones are ordinary work of the same form, which isn't. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { opencode } from '../hook/agents/opencode.ts'
import { judged } from '../hook/rules.ts'
import type { RuleFile } from '../hook/rules-schema.ts'

let folder: string
let home: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'countersign-silent-'))
  home = join(folder, 'home')
  mkdirSync(join(home, '.claude/sub'), { recursive: true })
  symlinkSync(join(home, '.claude/settings.local.json'), join(folder, 'dangling.json'))
  symlinkSync(join(home, '.claude/sub'), join(folder, 'inside'))
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ scripts: { test: 'true', up: 'git push' } }))
  for (const name of ['safe', 'sub']) {
    const ship = name === 'safe' ? 'ls' : 'git push'
    mkdirSync(join(folder, name))
    writeFileSync(join(folder, name, 'package.json'), JSON.stringify({ scripts: { ship, up: 'ls', test: ship } }))
    writeFileSync(join(folder, name, 'run.sh'), `${ship}\n`)
  }
  writeFileSync(join(folder, 'run.sh'), 'git push\n')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const rulesOf = (effects: { shell: string } | { writes: string[] }): string[] => {
  const call = { session: 's', callId: 't', tool: 'Bash', input: {}, cwd: folder, effects }
  return judged(call, 'claude-code', { rules: [] }, { HOME: home, USER: 'kim' }).asks.map(({ rule }) => rule)
}
const shell = (line: string): string[] => rulesOf({ shell: line })

describe('a variable that the line can set', () => {
  it.each([
    ['USER=git; $USER push origin', 'unresolved'],
    ['USER=-rf; rm $USER dir', 'delete'],
    ['USER=publish; npm $USER', 'unresolved'],
    ['for USER in git; do $USER push; done', 'unresolved'],
  ])('%s', (line, rule) => expect(shell(line)).toContain(rule))
})

describe('a program by the name of its package', () => {
  it.each([
    ['npx wrangler@latest deploy', 'deploy'],
    ['npx -y vercel@latest --prod', 'deploy'],
    ['pnpm dlx wrangler@3 deploy', 'deploy'],
    ['npm exec wrangler@3 deploy', 'deploy'],
    ['npx prisma@5 db push', 'database'],
    ['bunx vercel@latest', 'deploy'],
    ['uvx twine@5 upload x', 'publish'],
    ['pipx run twine==5 upload x', 'publish'],
    ['git.exe push', 'git-push'],
    ['cargo +nightly publish', 'publish'],
    ['npx firebase-tools deploy', 'deploy'],
    ['npx netlify-cli deploy', 'deploy'],
  ])('%s', (line, rule) => expect(shell(line)).toContain(rule))
})

describe('what comes to the input of a shell', () => {
  it.each([
    ['bash <<A 9<<B\ngit push\nA\nls\nB', 'git-push'],
    ["sh <<< 'git push' 3<<< ls", 'git-push'],
    ['bash <<EOF\ng\\\\it push\nEOF', 'unresolved'],
    ['bash {fd}<<< ls', 'unresolved'],
    ['bash <> f', 'unresolved'],
    ['bash /dev/fd/9 9<<B\ngit push\nB', 'unresolved'],
  ])('%s', (line, rule) => expect(shell(line)).toContain(rule))
})

describe('text that a shell runs', () => {
  it.each([
    `x='$(git push)'; echo "$\{x@P}"`,
    '[[ -v "a[\\$(git push)]" ]]',
    `echo $\{(e)x}`,
    `echo $\{x:'a[$(git push)]'}`,
    "x='a[$(git push)]'; echo $((x))",
    "[ -v 'a[$(git push)]' ]",
    "[[ 'a[$(git push)]' -eq 0 ]]",
    "read x <<< 'a[$(git push)]'; echo $((x))",
    "for x in 'a[$(git push)]'; do echo $((x)); done",
    "a['b[$(git push)]']=1",
    "let 'a[$(git push)]=1'",
    "unset 'a[$(git push)]'",
    "printf -v 'a[$(git push)]' x",
    'BASH_CMDS[foo]=/usr/bin/git; foo push',
    "BASH_ALIASES[ll]='git push'",
    "functions[ls]='git push'; ls",
    'commands[ls]=/usr/bin/git; ls push',
    "env -S 'git\\_push'",
  ])('%s', (line) => expect(shell(line)).toContain('unresolved'))

  it('behind other options of env', () => expect(shell("env '-iSgit push'")).toContain('git-push'))
})

describe('the folder that a command runs in', () => {
  it.each([
    ['(cd safe); bash run.sh', 'git-push'],
    ['(cd safe && ls); npm run up', 'git-push'],
    ['cd safe | cat; bash run.sh', 'git-push'],
    ['echo $(cd safe); bash run.sh', 'git-push'],
    ['cat <(cd safe); bash run.sh', 'git-push'],
    ['cd safe & bash run.sh', 'git-push'],
    ["bash -c 'cd safe'; bash run.sh", 'unresolved'],
    ['true || cd safe; bash run.sh', 'git-push'],
    ['false && cd safe; bash run.sh', 'git-push'],
    ['if false; then cd safe; fi; bash run.sh', 'git-push'],
    ['if true; then cd safe; else bash run.sh; fi', 'git-push'],
    ['while false; do cd safe; done; bash run.sh', 'git-push'],
    ['case a in b) cd safe;; esac; npm run up', 'git-push'],
    ['for a in b; do bash run.sh; cd ..; done; bash sub/run.sh', 'git-push'],
    ['f() { cd safe; }; bash run.sh', 'unresolved'],
    ['cd safe/missing; npm run up', 'git-push'],
    ['f() { bash run.sh; }; cd sub; f', 'git-push'],
    ['cd safe; f() { bash run.sh; }; cd ../sub; f', 'unresolved'],
    ['cd safe; pushd; bash run.sh', 'unresolved'],
    ['env -C sub bash run.sh', 'unresolved'],
    ['cd safe; npm --prefix ../sub run ship', 'git-push'],
    ['npm --prefix sub run ship', 'git-push'],
    ['npm --prefix=sub run ship', 'git-push'],
    ['npm -C sub run ship', 'git-push'],
    ['npm run ship --prefix sub', 'git-push'],
    ['yarn --cwd sub ship', 'git-push'],
    ['pnpm -C sub ship', 'git-push'],
    ['pnpm --dir sub run ship', 'git-push'],
    ['bun --cwd sub run ship', 'git-push'],
    ['npm --prefix $X run ship', 'unresolved'],
    ['pnpm --filter sub ship', 'unresolved'],
    ['pnpm -r ship', 'unresolved'],
    ['npm run ship -w sub', 'unresolved'],
    ['npm run ship --workspaces', 'unresolved'],
    ['npm test --workspace=sub', 'unresolved'],
    ['yarn workspace sub ship', 'unresolved'],
    ['yarn workspaces run ship', 'unresolved'],
  ])('%s', (line, rule) => expect(shell(line)).toContain(rule))
})

describe('another form of the same words', () => {
  it.each([
    ['rm --recurs x', 'delete'],
    ['git reset --har', 'git-rewrite'],
    ['curl --reque POST http://a.example', 'send'],
    ['npm pub', 'publish'],
    ['npm unpub x', 'publish'],
    ['git checkout HEAD -- .', 'git-rewrite'],
    ['docker compose push', 'publish'],
    ['docker compose -f x.yml down -v', 'deploy'],
    ['git commit $X', 'git-rewrite'],
  ])('%s', (line, rule) => expect(shell(line)).toContain(rule))
})

it('opencode names the folder of a command within its own', () => {
  const args = { command: 'bash run.sh', workdir: 'safe' }
  const input = { event: 'before', tool: 'bash', args, cwd: folder, session: 's', call: 'c', version: '1.18.33' }
  const event = opencode.read({ input, event: null, env: {} })
  expect(event?.at === 'before' && event.call.cwd).toBe(join(folder, 'safe'))
})

describe('a file that is moved or copied under another name, or with its folder', () => {
  it.each([
    'cp x/settings.local.json .claude/',
    'mv x .claude',
    'cp -r x/.claude .',
    'ln -s x .claude',
    'mv .claude y',
    'rename x .claude .claude',
    'mv ~/.config /tmp/c',
    'mv hooks .git/',
    'cp config .git/',
    'cp .bashrc ~',
    'cp -t ~ .bashrc',
    'cp .*rc ~',
    'install -m 644 .bashrc ~',
    'cp -r dot/. ~',
    'cp -rT dot ~',
    'cd sub && cp .bashrc ~',
    'tee .git/modules/a/b/config < x',
    'tee .git/modules/a/hooks/pre-commit < x',
    'tee .git/worktrees/a/config.worktree < x',
    'tee .claude/skills/x/SKILL.md < x',
  ])('%s', (line) => {
    expect(shell(line).some((rule) => ['own-settings', 'start-up-files'].includes(rule))).toBe(true)
  })
})

it('many files that are moved take no longer than an agent waits', () => {
  const names = Array.from({ length: 1400 }, (_, at) => `a${at}`).join(' ')
  const begun = performance.now()
  expect(shell(`mv ${Array(2).fill(names).join(' ')} d`)).toEqual(['unresolved'])
  shell(`cd a || cd b || cd c; mv ${names.slice(0, 1500)} d`)
  expect(performance.now() - begun).toBeLessThan(10_000)
})

describe('the files that the hook works by', () => {
  const own = (path: string, env: Record<string, string> = {}): string[] => {
    const effects = { writes: [path] }
    const call = { session: 's', callId: 't', tool: 'Write', input: {}, cwd: folder, effects }
    const mine: RuleFile = { rules: [{ name: 'mine', paths: ['**'], handling: 'pass' }], defaults: false }
    return judged(call, 'claude-code', mine, { HOME: home, ...env }).asks.map(({ rule }) => rule)
  }
  it.each([
    ['~/.config/countersign/hook/rules.json', {}],
    ['~/.claude/settings.json', {}],
    ['.claude/settings.local.json', {}],
    ['elsewhere/hook/rules.json', { COUNTERSIGN_CONFIG: 'elsewhere/profiles.json' }],
    ['elsewhere/countersign/hook/rules.json', { XDG_CONFIG_HOME: 'elsewhere' }],
    ['elsewhere/opencode/plugin/countersign.js', { XDG_CONFIG_HOME: 'elsewhere' }],
    ['elsewhere/countersign/hook/x', { XDG_STATE_HOME: 'elsewhere' }],
    ['elsewhere/settings.json', { CLAUDE_CONFIG_DIR: 'elsewhere' }],
    ['elsewhere/hooks.json', { CODEX_HOME: 'elsewhere' }],
    ['elsewhere/hooks/countersign.json', { COPILOT_HOME: 'elsewhere' }],
    ['inside/settings.json', { CLAUDE_CONFIG_DIR: join('home', '.claude', 'sub') }],
    [process.execPath, {}],
  ] as const)('%s with %o, whatever the rules say', (path, env) => expect(own(path, env)).toEqual(['own-settings']))

  it('what else is in such a folder is for the rules', () => {
    expect(own('elsewhere/agents/x.md', { CLAUDE_CONFIG_DIR: 'elsewhere' })).toEqual([])
    const call = {
      session: 's',
      callId: 't',
      tool: 'Write',
      input: {},
      cwd: folder,
      effects: { writes: ['elsewhere/x'] },
    }
    const env = { HOME: home, CODEX_HOME: join(folder, 'elsewhere') }
    expect(judged(call, 'codex', { rules: [] }, env).asks.map(({ rule }) => rule)).toEqual(['own-settings'])
  })
})

describe('a path of an agent’s own tool', () => {
  it.each([
    ['longer than a path may be', `${'a/'.repeat(100)}${'x'.repeat(4096)}`, 'unresolved'],
    ['with more parts than are looked up', 'a/'.repeat(400), 'unresolved'],
    ['long until it is resolved', `${'./'.repeat(3000)}.claude/settings.json`, 'own-settings'],
    ['with spaces around it', ' ~/.claude/settings.json\n', 'own-settings'],
    ['a link to a file that is not there yet', 'dangling.json', 'own-settings'],
    ['above the target of a link', 'inside/../settings.json', 'own-settings'],
  ])('%s', (_, path, rule) => expect(rulesOf({ writes: [path] })).toContain(rule))
})

it('a deep folder is looked up once for all words', () => {
  const deep = join(folder, ...Array<string>(200).fill('deep'))
  mkdirSync(deep, { recursive: true })
  const begun = performance.now()
  for (let count = 1; count < 40; count++) expect(shell(`tee ${deep}${'/missing'.repeat(count)}`)).toEqual([])
  expect(shell(`cd ${deep}; tee ${Array.from({ length: 300 }, (_, at) => `a${at}/b/c`).join(' ')}`)).toEqual([])
  expect(shell(`tee ${deep}${'/missing'.repeat(200)}`)).toEqual(['unresolved'])
  expect(performance.now() - begun).toBeLessThan(10_000)
})

describe('ordinary work of the same form', () => {
  it.each([
    'echo $USER',
    'ls /home/$USER',
    'npx tsc@5 --noEmit',
    'npx -y create-vite@latest app',
    'npm install vercel@3',
    'cargo +nightly fmt',
    `git commit -m "${'and/or, '.repeat(1000)}"`,
    'tee a/../b/c.txt < x',
    "bash <<'EOF'\necho 'a\\nb'\nEOF",
    'cat <<EOF\na\\nb\nEOF',
    'cat <<A 3<<B\nx\nA\ny\nB',
    'echo $((i + 1)); [[ $a -gt 3 ]]; [ -n "$x" ]',
    `echo $\{x^^} $\{x//a/b} $\{#x} $\{x[0]} $\{x[@]:1:2} $\{!x} $\{x@Q} $\{x: -1}`,
    'x=$(date); y="[$(date)]"; m[$k]=v; echo "$y"',
    "commands='a b'; echo $commands",
    'while read -r l; do echo $l; done < f',
    'exec 3< f; read -u 3 x',
    'cd safe && bash run.sh',
    '(cd safe && npm run ship)',
    'cd safe || exit 1; npm run ship',
    'npm --prefix safe run ship && ls',
    'mkdir -p new && cd new && npm init -y',
    'ls; (cd safe && npm test)',
    'cd safe && ls && cd .. && npm test',
    'npm test -- -w x',
    'npm install lodash -w sub',
    'pnpm --filter web add react',
    'for d in a b; do ls $d; done; npm test',
    'if [ -d safe ]; then npm test; fi',
    'env FOO=1 npm test',
    'cp a ~/',
    'cp a ~/docs/',
    'cp -r src dist',
    'cp -r safe/. public',
    'cp -r safe/. .',
    'npm test && cp -r dist/. public',
    'cp *.txt ~/docs/',
    'mv ../a .',
    'mv x.ts sub/',
    'mv x /tmp/',
    'cp -r . ../copy',
    'cp .env.example .env',
    'ln -s a b',
    'tee .claude/worktrees/x/src/a.ts < x',
    `git commit -m "$(cat <<'EOF'\nfix: x\nEOF\n)"`,
    'git checkout HEAD -- a.ts',
    'git checkout -- src/a.ts',
    'docker compose down',
    'curl --fail -s http://a.example',
  ])('%s', (line) => expect(shell(line)).toEqual([]))
})
