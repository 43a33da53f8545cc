/** Somebody who is signed in went to a provider to link an account. For this tab only. */
const key = 'countersign-linking'

export function noteLinking(): void {
  try {
    sessionStorage.setItem(key, 'yes')
  } catch {
    // The page asks to sign in again, as it does with everybody.
  }
}

export function isLinking(): boolean {
  try {
    const noted = sessionStorage.getItem(key) !== null
    sessionStorage.removeItem(key)
    return noted
  } catch {
    return false
  }
}
