/** The entry point of this feature. */
export { type ApproverRole, type CastSize, requireSandbox, sizeFor, type TestPerson, testPeople } from './cast.ts'
export { addTestPeople, findTestPeople, type TestMember } from './queries.ts'
export { testSigners } from './signers.ts'
