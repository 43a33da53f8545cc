/** A value that tells when it changes. Nothing here needs React: the approval page has none. */
export interface Store<T> {
  get(): T
  set(next: T): void
  /** Returns how to stop. */
  subscribe(tell: () => void): () => void
}

export function storeOf<T>(first: T): Store<T> {
  let value = first
  const listeners = new Set<() => void>()
  return {
    get: () => value,
    set(next) {
      value = next
      for (const tell of listeners) tell()
    },
    subscribe(tell) {
      listeners.add(tell)
      return () => listeners.delete(tell)
    },
  }
}
