/** The people whom the details of an entry mention, as `clientId` does. Pure. */
type Details = Readonly<Record<string, unknown>>

const isPerson = (id: unknown): id is string =>
  typeof id === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)

export const peopleIn = (details: Details): readonly string[] => [...new Set(Object.values(details).filter(isPerson))]

/** Their names by their id, of those that are known. */
export const namedIn = (details: Details, names: ReadonlyMap<string, string>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    peopleIn(details).flatMap((id) => {
      const name = names.get(id)
      return name === undefined ? [] : [[id, name]]
    }),
  )
