export type Language = 'en' | 'ko'
export const languages: readonly Language[] = ['en', 'ko']
export type Words = Readonly<Record<Language, string>>
