/** Of `members.import`. Apart from its schemas, which a page doesn't load. */
export const maxImportRows = 100
export const maxGuardians = 4
