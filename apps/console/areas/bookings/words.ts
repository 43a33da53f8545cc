import en from '@countersign/words/en/bookings.json' with { type: 'json' }
import ko from '@countersign/words/ko/bookings.json' with { type: 'json' }
import { catalog } from '../../app/i18n.ts'

export const useBookingsWords = catalog(ko, en)
