/** `--short`: every bench in its shortest form. It shows that the program works; its figures mean nothing. */
export const short = process.argv.includes('--short')

export const sized = (usual: number, least: number): number => (short ? least : usual)
