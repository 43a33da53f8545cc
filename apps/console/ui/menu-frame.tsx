/** A menu below its button, open from the start: it was loaded because the button was pressed. */
import { MantineProvider, Menu } from '@mantine/core'
import { type ComponentProps, useEffect, useRef, useState } from 'react'
import { useShownTheme } from '../app/theme.ts'
import type { MenuButton } from './lazy-menu.tsx'
import { theme } from './mantine-theme.ts'

interface Properties extends Pick<ComponentProps<typeof Menu>, 'position' | 'width' | 'floatingStrategy' | 'children'> {
  readonly button: MenuButton
}

export function MenuFrame({ button, children, ...menu }: Properties) {
  const [isOpened, setOpened] = useState(false)
  const target = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    // The button that was pressed is gone. From this one the menu takes the focus, and gives it back when it closes.
    target.current?.focus()
    setOpened(true)
  }, [])
  return (
    // The variables of Mantine are in mantine.css: its own style element would need an inline style.
    <MantineProvider
      theme={theme}
      forceColorScheme={useShownTheme()}
      withCssVariables={false}
      withGlobalClasses={false}
    >
      <Menu {...menu} withinPortal={false} opened={isOpened} onChange={setOpened}>
        <Menu.Target>
          <button type="button" {...button} ref={target} />
        </Menu.Target>
        {children}
      </Menu>
    </MantineProvider>
  )
}
