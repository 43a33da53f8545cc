/** Choices that stay in this browser. Storage may be switched off: a choice then lasts as long as the page. */

/** Who turned push messages on here. Known without app/push.ts, which only their browsers load. */
export const pushKey = 'countersign-push'

export function kept(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

export function keep(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(key)
    else localStorage.setItem(key, value)
  } catch {
    // It lasts as long as the page.
  }
}
