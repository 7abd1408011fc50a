// node-forge is typed as a whole only; the page takes the parts it needs

declare module 'node-forge/lib/forge.js' {
  import forge from 'node-forge';
  export default forge;
}
