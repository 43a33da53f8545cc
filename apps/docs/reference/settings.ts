/** Each row of the generated table of settings gets the name of its setting as its anchor. */
export const withSettingAnchors = (body: string): string => {
  const seen = new Set<string>()
  return body.replaceAll(/^\| `([A-Z][A-Z0-9_]*)` \|/gm, (row, name: string) => {
    if (seen.has(name)) return row
    seen.add(name)
    return `| <span id="${name}"></span>\`${name}\` |`
  })
}
