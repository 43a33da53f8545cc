/** The package ships no types; these are the parts that the test calls. */
declare module 'jsonld' {
  type Tree = Record<string, unknown>
  interface Options {
    /** Throws where a member would be dropped. */
    safe: boolean
    documentLoader: (url: string) => Promise<{ contextUrl: null; documentUrl: string; document: object }>
  }
  const processor: {
    expand(document: Tree, options: Options): Promise<Tree[]>
    compact(expanded: Tree[], context: string, options: Options): Promise<Tree>
    flatten(document: Tree, context: undefined, options: Options): Promise<Tree[]>
  }
  export default processor
}
