/** Widgets of Mantine in the look of the desk. Their colors are variables of mantine.css, which come from the tokens. */
import { createTheme, type MantineColorsTuple } from '@mantine/core'

const ink = Array.from({ length: 10 }, () => 'var(--ink)') as unknown as MantineColorsTuple

export const theme = createTheme({
  primaryColor: 'ink',
  colors: { ink },
  fontFamily: 'var(--sans)',
  fontFamilyMonospace: 'var(--mono)',
  defaultRadius: 'sm',
  respectReducedMotion: true,
  components: {
    Menu: { defaultProps: { shadow: 'none', transitionProps: { duration: 120, transition: 'fade' } } },
    Popover: { defaultProps: { shadow: 'none', transitionProps: { duration: 120, transition: 'fade' } } },
    Select: { defaultProps: { comboboxProps: { shadow: 'none', transitionProps: { duration: 0 } } } },
    // A style element of its own would lock the scrolling; the content security policy allows none.
    Modal: {
      defaultProps: { lockScroll: false, shadow: 'none', transitionProps: { duration: 120, transition: 'fade' } },
    },
    Drawer: { defaultProps: { lockScroll: false, shadow: 'none' } },
  },
})
