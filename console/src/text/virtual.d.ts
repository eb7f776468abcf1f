/** Modules the build makes of a language's files. */
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
declare module 'virtual:texts/en-queue' {
  export const texts: Readonly<Record<string, import('@lingui/core').Messages[string]>>;
}
declare module 'virtual:texts/de-queue' {
  export const texts: Readonly<Record<string, import('@lingui/core').Messages[string]>>;
}
