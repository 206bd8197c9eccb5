extension BadInput {
    static let queries: [BadInput] = [
        BadInput(
            "a mistyped property",
            run: ["objects", "in.json", "Person", "--where", #"nam == "x""#],
            place: "character 1", remedy: "did you mean 'name'?"),
        BadInput(
            "a mistyped operator",
            run: ["objects", "in.json", "Person", "--where", #"name BEGINWITH "x""#],
            place: "character 6", remedy: "Did you mean 'BEGINSWITH'?"),
        BadInput(
            "a search of full text",
            run: ["objects", "in.json", "Person", "--where", "name TEXT 'x'"],
            place: "character 6", remedy: "Full-text search (TEXT) is not supported"),
        BadInput(
            "a search by place",
            run: ["objects", "in.json", "Person", "--where", "name geoWithin geoCircle([1, 2], 3)"],
            place: "character 6", remedy: "Searches by place (GEOWITHIN) are not supported"),
        BadInput(
            "two operators",
            run: ["objects", "in.json", "Person", "--where", #"name = = "x""#],
            place: "character 8", remedy: "One operator stands between two sides."),
        BadInput(
            "a number against a text",
            run: ["objects", "in.json", "Person", "--where", #"age > "x""#],
            place: "character 5", remedy: "A text stands in quotation marks, a number does not."),
        BadInput(
            "a parenthesis too few",
            run: ["objects", "in.json", "Person", "--where", "(age > 1"],
            place: "character 9", remedy: "Something is missing at its end"),
        BadInput(
            "a quotation mark too few",
            run: ["objects", "in.json", "Person", "--where", #"name == "x"#],
            place: "character 9", remedy: "Close the text with the quotation mark that begins it."),
        BadInput(
            "an argument",
            run: ["objects", "in.json", "Person", "--where", "$0 == name"],
            place: "character 1", remedy: "Write the value itself"),
        BadInput(
            "a quantifier of a number",
            run: ["objects", "in.json", "Person", "--where", "ALL age > 1"],
            place: "character 1", remedy: "name a list"),
    ]
}
