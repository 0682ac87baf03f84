/// Words for passphrases: common English words of three to eight letters.
///
/// There are 2,048, so each adds eleven bits. The first four letters identify a word, and no word is the beginning of
/// another, so even a passphrase without separators can be split into its words.
package enum WordList {
    /// How many words there are.
    package static let count = 2048

    /// The words in alphabetical order.
    package static let words = text.split { $0 == " " || $0 == "\n" }

    private static let text = """
        able about above accent acorn across action actor adapt address admire adopt adult advance advice affair
        afford after again agent agree ahead aim air aisle album alert alias alien alley allow almond alpaca also
        always amaze amber amount ample amuse anchor animal ankle annual answer antler apart apple apricot apron
        arcade arch arctic area arena armor army around arrive artist ascend aside aspen asphalt assist aster
        athlete atlas atom attend auburn audio august author autumn avenue avocado avoid awake award away awning
        axis azure baby bacon badge bagel bake balance balloon bamboo banana banjo banner bare bargain barley barn
        barrel basalt base basil basket batch bath battery bazaar beach beam bean bear beauty beaver because become
        bedroom beech beef beetle before begin behave behind beige believe bell belong belt bench berry beside best
        better between beyond bicycle big bike bill binder biology birch bird birth biscuit bishop bison black blade
        blank blaze blend bless blind block blossom blouse blue board boat body boil bold bolt bonfire bonus book
        border borrow bottle boulder bounce bow boxer brain brake branch brave bread breeze brick bridge brief
        bright bring brisk broad bronze brook brother brown brush bubble bucket budget buffalo build bulb bundle
        bunny burger burst bus butter buyer buzz cabbage cabin cable cactus cadet cafe cage cake calendar call calm
        camel camp canal candle canoe canvas canyon cape capital captain caramel carbon card career cargo carpet
        carrot carton carve cascade case cashew castle casual catch cattle cave cedar ceiling celery cello cement
        center ceramic cereal certain chain chalk champion change chapter charm chase cheap check cheese chef cherry
        chess chicken chief child chimney chin chip choice choose chorus cider cinema cinnamon circle citizen citrus
        city civil claim clap clarify class clay clean clerk clever click client cliff climb clinic clip clock close
        cloth cloud clover clown club clue cluster coach coal coast cobalt cobra coconut code coffee coin collar
        color column comb come comfort comic common company concert condor cone congress connect consider contain
        convince cook cool copper copy coral core correct cosmos cotton couch count couple course cousin cover cow
        coyote cozy cradle craft crane crater cream credit creek crew cricket crisp critic crop cross crown crumb
        crunch crystal cube cucumber culture cup curious current curtain curve cushion custom cycle cylinder cymbal
        cypress dairy daisy damp dance daring dark data daughter dawn day deal dear decade decide deck decorate deep
        deer define degree delay delicate demand denim dense depart depend deposit depth deputy derive describe
        design desk detail detect develop device devote diagram dial diamond diary dice diesel diet differ digital
        dignity dilemma dill dime dinner dinosaur diploma direct discover dish distance dive divide dock doctor dog
        dollar dolphin domain donate donkey donor door dose double dough dove dozen draft dragon drama draw dream
        dress drift drill drink drive drop drum dry duck dune during dusk dust duty dynamic each eager eagle early
        earn earth easel east easy echo eclipse ecology economy edge edit educate effort egg eight either elbow
        elder electric elegant element elephant elevator elite elk ellipse else embark emblem embrace emerald
        emotion emperor employ empty enable enact end energy engine enjoy enormous enough enrich ensure enter entire
        envelope episode equal equip erode errand escape essay estate eternal ethics evening every evidence evolve
        exact example excel exchange excite exercise exist exit exotic expand expect explain express extend extra
        eye fabric face fact faint fair faith falcon fall family famous fancy fantasy farm fashion fasten father
        faucet favor feather feed feel fellow felt fender fern ferry festival fetch fiber fiction fiddle field
        fiesta fifteen fig file film filter final find finger finish fire firm first fish fitness five flag flame
        flannel flash flat flavor fleece flight flint flip float flock flood flour flow fluid flute foam focus fog
        fold folk follow food foot force forest forget fork formal fortune forum forward foster found fox fragile
        frame freedom fresh friend frog front frozen fruit fudge fuel full funnel furnace future gadget gain galaxy
        gallery game garage garden garment gas gate gather gauge gazelle gear gecko gel gem general genius gentle
        genuine gesture geyser ghost giant gift giggle ginger giraffe give glacier glad glance glass glaze gleam
        glide glimpse global glory glove glow glue goal goat goblet gold golf good goose gorilla gown grab grace
        grade grain grand grape grass gravity great green grid grin grip grocery group grove grow guess guide guitar
        gulf gull gust gym gypsum habit half halibut hall halo hammer hamster hand happy harbor hard harmony harvest
        hat hawk hazel head health heap heart heat heavy hedge height helium hello helmet help hem herb herd hero
        hidden high hike hill hint hippo hire history hobby hockey hold hole holiday hollow home honest hood hook
        hope horizon horn horse hospital host hotel hour house hover huge human humble humor hundred hungry hunt
        hurry husky hut hybrid hydrogen hyena ice icicle icon idea identify idle igloo ignite ignore image imitate
        immense immune impact import improve impulse inch include income increase index indicate indoor industry
        infant inform ingot inhale inherit initial inner innocent input inquiry inside inspire install intact
        interest invite involve iris iron island isolate issue item ivory ivy jacket jaguar jam jar jasmine jaw jazz
        jealous jeans jelly jersey jet jewel jigsaw job jockey join joke jolly journey joy juggle juice july jumbo
        jump june jungle junior just juvenile kale kangaroo karate kayak keen keep kelp kennel kettle keyboard kick
        kilo kind king kiosk kitchen kite kitten kiwi knee knife knight knit knot know koala label labor lace ladder
        lady lagoon lake lamb lamp lance land language lantern laptop large laser last later latte laugh laundry
        lavender law layer lazy leader leaf league learn leather lecture left legend leisure lemon lend length lens
        leopard lesson letter level liberty library license lid life lift light like lilac lily limb lime limit
        linen lion lip liquid list liter little live lizard llama load loaf loan lobby lobster local lock locust
        logic long look loop lotus lounge love loyal lucky luggage lumber lunar lunch luxury lyrics machine magic
        magnet maid mail main major make mammal manage mango mansion manual maple marble march margin marine market
        marriage mask mass master match material math matrix matter maximum maybe mayor maze meadow meal mean
        measure meat mechanic medal media meet melody member memory mention menu mercy merit merry mesh message
        metal meteor method middle midnight might migrate mild milk mill mimic mind mineral minimum mint minute
        miracle mirror mitten mixed mixture mobile model module moisture molecule moment monitor monkey month moon
        moose moral morning mosaic mosque moss mostly motel moth motion motor mountain mouse mouth move movie much
        mule multiply muscle museum mushroom music mustard mutual myself mystery myth nail name napkin narrow nation
        nature nautical navy near neat neck nectar need neighbor neon nephew nerve nest network neutral never news
        next nice nickel night nimble nine noble nod noise nomad none noodle noon normal north nose notable note
        nothing notice nova novel now nozzle number nurse nut nylon oak oasis oat obey object oboe observe obtain
        obvious occasion ocean october odor off often oil okay old olive omelet omit once onion online only onyx
        opal open opera opinion oppose optical orange orbit orchard order ordinary organ orient origin ostrich other
        otter ounce outdoor outer outfit outlet output outside oval oven over owl owner oyster ozone pace pack
        paddle page paint pair palace palm panda panel panther paper parade parcel pardon parent park parrot party
        pass paste patch path patient patrol pattern pause pave payment peace peak peanut pear pebble pecan pedal
        peel pelican pencil penguin pension people pepper perfect permit person pet phase photo phrase physics piano
        picnic picture pie pigeon pill pilot pine pink pioneer pipe pitch pixel pizza place plain planet plastic
        plate play please plenty plot plow plum plus pocket podium poem poet point polar pole police pollen polo
        pond pony pool popcorn poplar popular porch portion position possible post potato pottery pouch poultry
        pound powder power practice prairie predict prefer prepare present pretty prevent price pride primary print
        priority private prize problem process produce profit program project promise proof proper protect proud
        provide public pudding pull puma pump pupil puppet purchase purple purse push puzzle pyramid python quail
        quality quantum quarter queen query quest quick quiet quill quinoa quiz quote rabbit raccoon race rack radar
        radio raft rail rain raise rally ramp ranch random range rapid rare rate rather raven raw razor reach ready
        real reason rebuild recall receive recipe record recycle reduce reef refer reflect refuse region regular
        reindeer relax release relief rely remain remember remind remote render renew rent reopen repair repeat
        reply report request rescue resemble resist resource response result return reunion reveal review reward
        ribbon rice rich ride ridge rifle right rigid ring ripple rise ritual rival river road roast robin robot
        robust rocket role roll romance roof rookie room root rope rose round route rover royal rubber ruby rug rule
        rumble runner runway rural rush russet rustic rye saddle safari safe saffron saga sage sail salad salmon
        salon salsa salt salute same sample sand sapphire sardine satin sauce sausage save scale scan scarf scene
        scheme school science scissors scoop scope score scout screen script scroll scrub sculpt sea second secret
        section security seed seek seem segment select self sell seminar senior sense sequence series service
        session settle seven shadow shaft shallow share shave shed sheep shelf sheriff shield shift shine ship shirt
        shiver shoe shop shore shoulder shovel show shrimp shrub shuffle shuttle shy sibling side sight sign silent
        silk silly silver similar simple since sing sink sister site situate six size skate sketch ski skull sky
        slab sleep slice slide slight slip slogan slope slot slow small smart smile smooth snack snail snake snap
        sneaker snow soap soccer social sock soda sofa soft solar soldier solid solve someone song sonnet soon sorry
        sort soul sound soup source south soy space spare spatula spawn speak special speed spell spend sphere spice
        spider spike spin spiral splash split spoil sponge spoon sport spot spray spread spring spruce spy squad
        squeeze squirrel stable stadium staff stage stairs stamp stand star state stay steak step stereo stick still
        stock stone stool story stove strategy street strike strong student stuff style subject submit subway
        success such sudden sugar suggest suit summer sun super supply supreme sure surface surprise survey suspect
        sustain swallow swan sweater sweet swift swim swing switch symbol symphony syrup system table tackle tadpole
        tag tail talent talk tall tan tape target task taste tattoo tavern taxi tea teeth tell temple tenant tender
        tennis tent term terrace test text thank that theater theme theory there they thick thing third this thought
        thread thrive throw thumb thunder ticket tide tidy tiger tile till timber time tiny tip tissue title toad
        toast today toddler toe toffee together toilet token tomato tomorrow tone tongue tonic tool tooth topic
        topple tornado tortoise total touch tough tour towel town toy track trade traffic trail tram transfer trap
        travel tray treat tree trek trend trial tribe trick trigger trim trio trip triumph trolley trophy truck true
        truly trumpet trunk trust truth tuba tube tulip tuna tundra tunnel turbine turkey turn turtle tutor tuxedo
        twelve twenty twice twig twin twist two type typical umbrella unable uncle uncover under unfold uniform
        union unique unit universe unknown unlock unpack until unusual unveil update upgrade uphold upon upper
        upright upset urban urge usage use usher usual utensil utility utmost vacant vacuum valid valley value valve
        vanilla vapor various vast vault vehicle veil velvet vendor venture venue verb verdict verify version
        vertical very viable vibrant victory video view village vine vintage vinyl violin viper visa visit visual
        vital vivid vocal vogue voice volcano volley volume vote voucher vowel voyage vulture wafer wage wagon waist
        wait wake walk wall walnut walrus waltz wander want wardrobe warm wash waste watch water wave wax wealth
        wear weasel weather web wedding weed week welcome well west wet whale wheat wheel when where whip whisper
        white whole wide widow width wife wild willow win wire wisdom wise wish witness wizard wolf wonder wood wool
        word work world worry worth woven wrap wrist write yacht yak yard yarn yawn year yeast yellow yes yet yield
        yoga yogurt yolk young your youth zebra zenith zero zest zigzag zinc zipper zodiac zone zoo zucchini
        """
}
