/** One part of the console in a page of its own, with what main.tsx puts around all of them. The server is a list of answers. */
import '@mantine/core/styles.layer.css'
import '@countersign/design/tokens.css'
import '@countersign/design/base.css'
import '@countersign/design/view.css'
import '../../ui/mantine.css'
import '../../ui/desk.css'
import '../../ui/parts.css'
import '../../ui/forms.css'
import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  type RouterHistory,
  RouterProvider,
} from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { vi } from 'vitest'
import { render } from 'vitest-browser-react'
import { queries } from '../../app/queries.ts'
import { theme } from '../../ui/mantine-theme.ts'

export interface Asked {
  readonly method: string
  readonly path: string
  readonly body: unknown
}

export type Answers = readonly (readonly [path: RegExp, answer: unknown])[]

/** A function is asked again each time; an answer with `error` is a refusal with its `status`. */
function answering(answers: Answers, asked: Asked[]): typeof fetch {
  return async (address, init) => {
    const { pathname, search } = new URL(String(address), location.origin)
    const body = typeof init?.body === 'string' ? JSON.parse(init.body) : undefined
    asked.push({ method: init?.method ?? 'GET', path: pathname + search, body })
    const found = answers.find(([path]) => path.test(pathname))
    if (!found) throw new Error(`the test has no answer for ${pathname}`)
    const given = typeof found[1] === 'function' ? await found[1]() : found[1]
    const { status: said, ...rest } = given as { status?: unknown; error?: object }
    // A decision has a status of its own.
    const status = typeof said === 'number' ? said : 200
    const total = Array.isArray(given) ? given.length : 0
    const pagination = { page: 1, limit: 100, total, totalPages: 1, hasMore: false }
    const answer = rest.error
      ? { success: false, ...rest }
      : { success: true, data: given, ...(Array.isArray(given) && { pagination }) }
    return new Response(JSON.stringify(answer), {
      status,
      headers: { 'content-type': 'application/json', 'x-request-id': 'req_of_the_test' },
    })
  }
}

export interface Stage {
  /** What the part asked the server for. */
  readonly asked: Asked[]
  readonly screen: Awaited<ReturnType<typeof render>>
  readonly history: RouterHistory
}

/** Shows the part at `/c/north`. */
export async function show(part: () => ReactNode, answers: Answers = []): Promise<Stage> {
  queries.clear()
  const asked: Asked[] = []
  vi.stubGlobal('fetch', answering(answers, asked))
  const rootRoute = createRootRoute({})
  const routeTree = rootRoute.addChildren([
    createRoute({ getParentRoute: () => rootRoute, path: '/c/$center', component: () => part() }),
    createRoute({ getParentRoute: () => rootRoute, path: '/c/$center/chain', component: () => null }),
  ])
  const history = createMemoryHistory({ initialEntries: ['/c/north'] })
  const router = createRouter({ routeTree, history })
  const screen = await render(
    <MantineProvider theme={theme} withCssVariables={false} withGlobalClasses={false}>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router as never} />
      </QueryClientProvider>
    </MantineProvider>,
  )
  return { asked, screen, history }
}

/** The words of a catalog, by their keys: a test names what a text is for, and not how it is worded today. */
export function wordsOf<Words>(useWords: () => Words): Words {
  let said: Words | undefined
  const Probe = () => {
    said = useWords()
    return null
  }
  const root = createRoot(document.createElement('div'))
  flushSync(() => root.render(<Probe />))
  root.unmount()
  return said as Words
}
