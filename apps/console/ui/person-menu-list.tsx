/** The menu of the person: language, theme and help. */
import { Menu } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { api } from '../app/api.ts'
import { useDocs } from '../app/docs.ts'
import { type Language, useLanguage } from '../app/i18n.ts'
import { kept, pushKey } from '../app/kept.ts'
import { speak } from '../app/language.ts'
import { prefer, usePreferences } from '../app/preferences.ts'
import { meQuery, queries } from '../app/queries.ts'
import { endSession } from '../app/session.ts'
import { chooseTheme, type ThemeChoice, useThemeChoice } from '../app/theme.ts'
import { useSession } from '../app/use-store.ts'
import type { MenuButton } from './lazy-menu.tsx'
import { MenuFrame } from './menu-frame.tsx'
import { openHelp } from './overlays.tsx'
import { useUiWords } from './words.ts'

interface ChoiceProperties<T extends string> {
  readonly label: string
  readonly value: T
  readonly options: readonly (readonly [value: T, label: string])[]
  readonly onChoose: (value: T) => void
}

/** Two or three words of which one is chosen. */
function Choice<T extends string>({ label, value, options, onChoose }: ChoiceProperties<T>) {
  return (
    <>
      <Menu.Label>{label}</Menu.Label>
      <Menu.RadioGroup value={value} onChange={(chosen) => onChoose(chosen as T)}>
        {options.map(([each, words]) => (
          <Menu.RadioItem key={each} value={each} closeMenuOnClick={false}>
            {words}
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
    </>
  )
}

/** Of this browser at once; also of the account, unless the session has no right over it. */
function chooseLanguage(language: Language): void {
  speak(language)
  api.auth.updateMe({ language }).then(
    () => queries.invalidateQueries({ queryKey: meQuery.queryKey }),
    () => {},
  )
}

interface Properties {
  readonly button: MenuButton
  readonly name: string
}

export default function PersonMenuList({ button, name }: Properties) {
  const say = useUiWords()
  const navigate = useNavigate()
  const { session } = useSession()
  const theme = useThemeChoice()
  const docs = useDocs()
  const { rows } = usePreferences()
  const leave = async () => {
    if (kept(pushKey) !== null) await (await import('../app/push.ts')).forgetPush().catch(() => {})
    await endSession()
    queries.clear()
    await navigate({ href: '/login' })
  }
  return (
    <MenuFrame button={button} position="bottom-end" width={240}>
      <Menu.Dropdown>
        {name.length > 12 && <Menu.Label>{name}</Menu.Label>}
        <Menu.Item onClick={() => navigate({ href: '/me' })}>{say('profile')}</Menu.Item>
        {session?.operator && <Menu.Item onClick={() => navigate({ href: '/operator' })}>{say('operator')}</Menu.Item>}
        <Menu.Divider />
        <Choice<Language>
          label={say('language')}
          value={useLanguage()}
          options={[
            ['ko', '한국어'],
            ['en', 'English'],
          ]}
          onChoose={chooseLanguage}
        />
        <Choice<ThemeChoice>
          label={say('theme')}
          value={theme}
          options={[
            ['system', say('themeSystem')],
            ['light', say('themeLight')],
            ['dark', say('themeDark')],
          ]}
          onChoose={chooseTheme}
        />
        <Choice<'staff' | 'dense'>
          label={say('rows')}
          value={rows}
          options={[
            ['staff', say('rowsStaff')],
            ['dense', say('rowsDense')],
          ]}
          onChoose={(chosen) => prefer({ rows: chosen })}
        />
        <Menu.Label>{say('help')}</Menu.Label>
        <Menu.Item
          onClick={openHelp}
          rightSection={
            <span className="kbd" aria-hidden="true">
              ?
            </span>
          }
        >
          {say('helpOpen')}
        </Menu.Item>
        <Menu.Item component="a" href={docs}>
          {say('docs')}
        </Menu.Item>
        <Menu.Item component="a" href="/verify">
          {say('verify')}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item onClick={leave}>{say('signOut')}</Menu.Item>
      </Menu.Dropdown>
    </MenuFrame>
  )
}
