/** `.env.example` and docs/settings.md, generated from the table of settings. */
import type { Setting } from '@countersign/server/config/setting-kinds.ts'
import { type SettingName, settings } from '@countersign/server/config/settings.ts'

const entries = Object.entries(settings) as [SettingName, Setting<unknown>][]

/** A blank line before the first setting of a group. */
const groups: readonly SettingName[] = [
  'DATABASE_URL',
  'PUBLIC_URL',
  'TLOG_HOST',
  'RATE_LIMIT_STANDARD',
  'WEBHOOK_RETRY_DELAYS',
  'AI_BASE_URL',
  'SECRET_KEY',
  'SMTP_URL',
  'LOG_LEVEL',
]

const plain = (text: string): string => text.replaceAll('`', '')
const shownDefault = ({ default: value, unset }: Setting<unknown>): string => unset ?? `\`${value}\``

export const envExample =
  (): string => `# Server settings, read from the environment (node --env-file=.env apps/server/main.ts). Copy this file to .env.
# Each value below is the default; settings without a default are commented out. \`npm run dev\` needs none of them.

${entries
  .map(([name, setting]) => {
    const line = setting.default ? `${name}=${setting.default}` : `# ${name}=`
    const unset = setting.unset === undefined ? '' : `. Unset: ${plain(setting.unset)}`
    return `${groups.includes(name) ? '\n' : ''}# ${plain(setting.doc)}${unset}\n${line}`
  })
  .join('\n')}
`

export const settingsPage = (): string => `# Settings

Settings are environment variables. The server reads them once at startup, through
[one table](../apps/server/config/settings.ts). This page and [.env.example](../.env.example) are generated from it. If a value
isn't in the accepted format, the server doesn't start; its error message names the setting and never repeats the value.

| setting | default | meaning |
| --- | --- | --- |
${entries.map(([name, setting]) => `| \`${name}\` | ${shownDefault(setting)} | ${setting.doc} |`).join('\n')}

These are the accepted formats:

| setting | format |
| --- | --- |
${entries.map(([name, { form }]) => `| \`${name}\` | ${form.replaceAll('<', '&lt;')} |`).join('\n')}
`
