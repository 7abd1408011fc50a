// the type package of node-forge covers the whole library; the page imports single modules

declare module 'node-forge/lib/forge.js' {
  import forge from 'node-forge';
  export default forge;
}
