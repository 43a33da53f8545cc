/* Runs before the first paint, so that neither theme nor language changes after it. */
;(() => {
  const kept = (name) => {
    try {
      return localStorage.getItem(name)
    } catch {
      return null
    }
  }
  const root = document.documentElement
  const theme = kept('countersign-theme')
  const dark = theme === 'dark' || (theme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  root.dataset.theme = dark ? 'dark' : 'light'
  root.dataset.mantineColorScheme = root.dataset.theme
  const wanted = [kept('countersign-language'), ...navigator.languages].map((each) => (each ?? '').slice(0, 2))
  root.lang = wanted.find((each) => each === 'ko' || each === 'en') ?? 'ko'
})()
