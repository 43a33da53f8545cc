/** Routes below `centerRoute`, and the words in the navigation. */
import type { NavigationEntry } from '../../app/navigation.ts'

export const routes = [] as const

export const navigation: readonly NavigationEntry[] = []
