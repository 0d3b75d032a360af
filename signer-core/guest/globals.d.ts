/** What QuickJS has beyond ECMAScript itself. */
declare function btoa(text: string): string
