/** Where a center is: the codes of ISO 3166. */
import { Type } from 'typebox'
import { oneOf } from './enums.ts'

/** The 249 codes that are officially assigned. */
const countries =
  'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW'.split(
    ' ',
  )

export const isCountry = (code: string): boolean => countries.includes(code)

export const CountryCode = oneOf('CountryCode', countries, 'A country, as an ISO 3166-1 alpha-2 code.')

const regionPattern = '^[A-Z]{2}-[A-Z0-9]{1,3}$'
export const isRegion = (code: string): boolean => new RegExp(regionPattern).test(code)
/** Checks the pattern and that the code starts with the country, but not whether ISO has assigned it. */
export const RegionCode = Type.String({
  pattern: regionPattern,
  maxLength: 6,
  description: 'A region, as an ISO 3166-2 code: the country code, a hyphen and up to three letters or digits.',
  examples: ['KR-11'],
})
