/** Starts the console: words, theme, routes. */
// Those of its menu: the styles of all its parts are nine tenths of what a browser would load.
import '@mantine/core/styles/baseline.layer.css'
import '@mantine/core/styles/default-css-variables.layer.css'
import '@mantine/core/styles/global.layer.css'
import '@mantine/core/styles/UnstyledButton.layer.css'
import '@mantine/core/styles/Paper.layer.css'
import '@mantine/core/styles/Popover.layer.css'
import '@mantine/core/styles/Menu.layer.css'
import '@countersign/design/tokens.css'
import '@countersign/design/base.css'
import '@countersign/design/view.css'
import './ui/mantine.css'
import './ui/desk.css'
import './ui/parts.css'
import './ui/forms.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { createRouter, RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { navigation, routeTree } from './app/areas.ts'
import { NavigationContext } from './app/navigation.ts'
import { queries } from './app/queries.ts'
// It follows the system and other tabs from the start; what chooses it loads later.
import './app/theme.ts'
import { Waiting } from './ui/standing.tsx'
import { StepUp } from './ui/step-up.tsx'

const router = createRouter({
  routeTree,
  defaultPreload: 'intent',
  defaultPendingMs: 200,
  defaultPendingComponent: Waiting,
  scrollRestoration: false,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}

function Console() {
  return (
    <QueryClientProvider client={queries}>
      <NavigationContext value={navigation}>
        <RouterProvider router={router} />
        <StepUp />
      </NavigationContext>
    </QueryClientProvider>
  )
}

// What a boundary caught, it shows.
const root = createRoot(document.getElementById('console') as HTMLElement, { onCaughtError: () => {} })
root.render(
  <StrictMode>
    <Console />
  </StrictMode>,
)

// A chunk of an older build is gone after an upgrade of the server: the new document names the new ones. Once in a while
// only, since a chunk that is missing for another reason would load the page for ever.
const oncePerMs = 30_000
addEventListener('vite:preloadError', (event) => {
  const last = Number(sessionStorage.getItem('countersign-reloaded') ?? 0)
  if (Date.now() - last < oncePerMs) return
  event.preventDefault()
  sessionStorage.setItem('countersign-reloaded', String(Date.now()))
  location.reload()
})
