/** What the build makes of the files of a language. */
declare module 'virtual:texts/en' {
  export const texts: Readonly<Record<string, import('@lingui/core').Messages[string]>>;
}
declare module 'virtual:texts/de' {
  export const texts: Readonly<Record<string, import('@lingui/core').Messages[string]>>;
}
declare module 'virtual:texts/en-later' {
  export const texts: Readonly<Record<string, import('@lingui/core').Messages[string]>>;
}
declare module 'virtual:texts/de-later' {
  export const texts: Readonly<Record<string, import('@lingui/core').Messages[string]>>;
}
