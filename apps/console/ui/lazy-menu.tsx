/** A button whose menu is loaded when somebody reaches for it: menus are a fifth of what a first page would load. */
import { type ComponentType, lazy, type ReactNode, Suspense, useState } from 'react'

/** What is seen of the button, open or closed. */
export interface MenuButton {
  readonly className: string
  readonly title?: string
  readonly 'data-here'?: true | undefined
  readonly children: ReactNode
}

export function lazyMenu<P extends object>(
  load: () => Promise<{ default: ComponentType<P & { readonly button: MenuButton }> }>,
) {
  const Menu = lazy(load)
  return function LazyMenu(properties: P & { readonly button: MenuButton }) {
    const [isOpened, setOpened] = useState(false)
    const reach = () => void load().catch(() => {})
    const closed = (
      <button
        type="button"
        {...properties.button}
        aria-haspopup="menu"
        aria-expanded={false}
        onPointerEnter={reach}
        onFocus={reach}
        onClick={() => setOpened(true)}
      />
    )
    return isOpened ? (
      <Suspense fallback={closed}>
        <Menu {...properties} />
      </Suspense>
    ) : (
      closed
    )
  }
}
