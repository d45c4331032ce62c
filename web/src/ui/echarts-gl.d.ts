/** echarts-gl brings no types: these are the two parts that are used, as `use` of echarts/core takes them. */
declare module 'echarts-gl/charts' {
  export const Bar3DChart: (registers: unknown) => void;
}
declare module 'echarts-gl/components' {
  export const Grid3DComponent: (registers: unknown) => void;
}
